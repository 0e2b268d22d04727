import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { toSnippet } from '../../snippets/snippets.ts';
import { t } from '../../strings/t.ts';
import { sdkJavaScript, sdkPython } from './sdk-snippets.ts';
import classes from './welcome-page.module.css';

const kinds = ['curl', 'openai_js', 'openai_py'] as const;
type Kind = (typeof kinds)[number];

/** The same first request with curl and with OpenAI's SDKs. */
export function FirstCall({ baseUrl }: { baseUrl: string }) {
  const [kind, setKind] = useState<Kind>('curl');
  const body = { model: 'svc-shield-base', input: 'Call me at 012-345 6789.' };
  const code = {
    curl: () => toSnippet.curl({ baseUrl, path: '/moderations', body }),
    openai_js: () => sdkJavaScript(baseUrl),
    openai_py: () => sdkPython(baseUrl),
  }[kind]();
  return (
    <div className={classes.secrets}>
      <SegmentedControl
        className={classes.kinds}
        aria-label={t('code.language')}
        data={kinds.map((value) => ({ value, label: t(`welcome.call_kinds.${value}`) }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
      />
      <CodeBlock code={code} label={t(`welcome.call_kinds.${kind}`)} />
      <p className={classes.text}>{t('code.key_note')}</p>
    </div>
  );
}
