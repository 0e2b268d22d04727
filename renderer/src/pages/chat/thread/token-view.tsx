/**
 * An answer token by token, colored by how likely each was; the one pointed at, or reached by the arrow keys, shows what
 * else could have stood there.
 */
import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react';
import { t } from '../../../strings/t.ts';
import type { TokenScore } from '../model/tree.ts';
import classes from './token-view.module.css';

interface TokenViewProps {
  tokens: TokenScore[];
}

export const TokenView = memo(function TokenView({ tokens }: TokenViewProps) {
  const [at, setAt] = useState<number | null>(null);
  const looked = at === null ? undefined : tokens[at];

  function onPointerOver(event: PointerEvent) {
    const index = (event.target as HTMLElement).dataset.token;
    if (index !== undefined) setAt(Number(index));
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(tokens.length - 1, Math.max(0, at === null ? 0 : at + step)));
  }

  return (
    <div className={classes.view}>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of tokens is no fieldset */}
      <div
        className={classes.tokens}
        role="group"
        aria-label={t('chat.tokens_of_answer')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from token to token
        tabIndex={0}
        onPointerOver={onPointerOver}
        onKeyDown={onKeyDown}
      >
        {tokens.map((score, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
            key={index}
            data-token={index}
            data-level={levelOf(score.logprob)}
            data-looked={index === at || undefined}
          >
            {score.token}
          </span>
        ))}
      </div>
      <div className={classes.detail} role="status">
        {looked ? <Alternatives score={looked} /> : <span>{t('chat.tokens_hint')}</span>}
      </div>
    </div>
  );
});

function Alternatives({ score }: { score: TokenScore }) {
  const rows = score.top_logprobs.some(({ token }) => token === score.token)
    ? score.top_logprobs
    : [score, ...score.top_logprobs];
  return (
    <ol className={classes.alternatives}>
      {rows.map(({ token, logprob, bytes }) => (
        <li key={`${token} ${bytes?.join(' ')}`} data-chosen={token === score.token || undefined}>
          <code>{JSON.stringify(token).slice(1, -1)}</code>
          <span className="lk-num">{(Math.exp(logprob) * 100).toFixed(1)} %</span>
        </li>
      ))}
    </ol>
  );
}

/** 0 (below 5 %) to 4 (95 % and more). */
function levelOf(logprob: number): number {
  const likelihood = Math.exp(logprob);
  return [0.05, 0.25, 0.6, 0.95].filter((bound) => likelihood >= bound).length;
}
