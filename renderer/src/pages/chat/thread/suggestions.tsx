/** Questions that the bound model can answer; a small one gets the text along with the question. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../../strings/t.ts';
import classes from './conversation.module.css';

/** The starter is tested on each. */
const forAny = ['fields', 'passage', 'mood', 'figures'] as const;
/** A model of a few hundred MB fails at these. */
const forBig = ['rewrite', 'translate', 'table', 'code'] as const;
const bigBytes = 600_000_000;

interface SuggestionsProps {
  /** Of the pack that will answer. */
  packBytes: number;
  onPick: (text: string) => void;
}

export function Suggestions({ packBytes, onPick }: SuggestionsProps) {
  const names = packBytes >= bigBytes ? [...forAny, ...forBig] : forAny;
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
