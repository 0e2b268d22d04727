import { count, milliseconds } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import type { Figures } from '../model/tree.ts';
import classes from './figures-line.module.css';

/** Cost of an answer in one line; unknown figures are left out. */
export function FiguresLine({ figures }: { figures: Figures }) {
  return <div className={`lk-num ${classes.figures}`}>{toFacts(figures).join(' · ')}</div>;
}

function toFacts({ promptTokens, completionTokens, speed, firstMs, finishReason, pack }: Figures): string[] {
  const facts = [
    promptTokens !== null && t('chat.prompt_tokens', { count: promptTokens }),
    completionTokens !== null && t('chat.completion_tokens', { count: completionTokens }),
    speed !== null && t('chat.speed', { speed: count(Math.round(speed * 10) / 10) }),
    firstMs !== null && t('chat.first', { time: milliseconds(firstMs) }),
    finishReason === 'length' && t('chat.cut'),
    finishReason === 'stopped' && t('chat.stopped'),
    finishReason === 'repetition' && t('chat.repetition'),
    pack,
  ];
  return facts.filter((fact) => typeof fact === 'string');
}
