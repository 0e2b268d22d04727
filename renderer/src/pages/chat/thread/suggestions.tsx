/** Questions that the bound model can answer; a small one gets the text along with the question. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../../strings/t.ts';
import classes from './conversation.module.css';

const names = ['fields', 'passage', 'rewrite', 'translate'] as const;

export function Suggestions({ onPick }: { onPick: (text: string) => void }) {
  return (
    <div className={classes.suggestions}>
      {names.map((name) => (
        <Button key={name} variant="default" onClick={() => onPick(t(`chat.suggestions.${name}.text`))}>
          {t(`chat.suggestions.${name}.label`)}
        </Button>
      ))}
      <Button variant="subtle" component={Link} to="/packs/models">
        {t('advice.open')}
      </Button>
    </div>
  );
}
