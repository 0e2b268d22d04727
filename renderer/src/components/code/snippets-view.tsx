/** The same request as curl, JavaScript and Python. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import {
  type SnippetLanguage,
  type SnippetRequest,
  snippetLanguages,
  toSnippet,
} from '../../snippets/snippets.ts';
import { t } from '../../strings/t.ts';
import { CodeBlock } from './code-block.tsx';
import classes from './snippets-view.module.css';

export function SnippetsView({ request }: { request: SnippetRequest }) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const data = snippetLanguages.map((value) => ({ value, label: t(`code.${value}`) }));
  return (
    <div className={classes.view}>
      <SegmentedControl
        data={data}
        value={language}
        onChange={(value) => setLanguage(value as SnippetLanguage)}
        aria-label={t('code.language')}
      />
      <CodeBlock code={toSnippet[language](request)} label={t(`code.${language}`)} maxHeight={460} />
      <p className={classes.note}>{t('code.key_note')}</p>
    </div>
  );
}
