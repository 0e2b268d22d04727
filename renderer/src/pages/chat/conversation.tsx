import { IconMessage } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Empty } from '../../components/feedback/empty.tsx';
import { count, milliseconds } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { type Draft, tokensPerSecond } from './chat-stream.ts';
import classes from './conversation.module.css';
import type { Turn } from './use-chat.ts';

/** The turns so far; it follows the answer as it grows. */
export function Conversation({ turns }: { turns: Turn[] }) {
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text may make it longer
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [turns]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take the keyboard's focus
    <div className={classes.list} ref={list} tabIndex={0} role="log" aria-label={t('chat.conversation')}>
      {turns.length === 0 && (
        <Empty
          icon={<IconMessage size={28} stroke={1.4} aria-hidden />}
          title={t('chat.empty')}
          text={t('chat.empty_note')}
        />
      )}
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <article key={index} className={classes.turn} data-role={turn.role}>
          <div className={classes.role}>{t(`chat.roles.${turn.role}`)}</div>
          <div className={classes.content}>{turn.content}</div>
          {turn.draft && <Figures draft={turn.draft} />}
        </article>
      ))}
    </div>
  );
}

function Figures({ draft }: { draft: Draft }) {
  const speed = tokensPerSecond(draft);
  const facts = [
    draft.promptTokens !== null && t('chat.prompt_tokens', { count: draft.promptTokens }),
    draft.completionTokens !== null && t('chat.completion_tokens', { count: draft.completionTokens }),
    speed !== null && t('chat.speed', { speed: count(Math.round(speed * 10) / 10) }),
    draft.firstMs !== null && t('chat.first', { time: milliseconds(draft.firstMs - draft.startedMs) }),
    draft.finishReason === 'length' && t('chat.cut'),
  ].filter((fact) => fact !== false);
  return <div className={`lk-num ${classes.figures}`}>{facts.join(' · ')}</div>;
}
