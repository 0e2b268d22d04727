/** One conversation and the pack that answers it. */
import { Select } from '@mantine/core';
import { NotInstalled } from '../../../components/feedback/not-installed.tsx';
import { toOption } from '../../../format/pack-title.ts';
import { t } from '../../../strings/t.ts';
import type { Chat } from '../use-chat.ts';
import { useChatPacks } from '../use-chat-packs.ts';
import { ChatProblem } from './chat-problem.tsx';
import { Conversation } from './conversation.tsx';
import classes from './pane.module.css';

interface PaneProps {
  chat: Chat;
  /** Which of two; null where there is one. */
  side: 'left' | 'right' | null;
  pack: string | null;
  /** `id@version` that answers at the other side, and is not offered here. */
  taken: string | null;
  /** Names of the tools that the person has typed. */
  typed: readonly string[];
  onPack: (pack: string | null) => void;
  editing: string | null;
  onEditing: (id: string | null) => void;
  onPick: (text: string) => void;
}

/** The choice that follows the binding. */
const boundPack = '';

export function Pane({ chat, side, pack, taken, typed, onPack, editing, onEditing, onPick }: PaneProps) {
  const { loaded, fitting, bound, boundTitle } = useChatPacks();
  const nobody = loaded && bound === null && pack === null;
  const offered = fitting.filter(({ ref }) => ref !== bound && ref !== taken).map(toOption);
  const theBound = {
    value: boundPack,
    label: bound ? t('chat.pack_bound', { pack: boundTitle ?? bound }) : t('chat.pack_none'),
  };
  const label = side ? t(`chat.panes.${side}`) : t('chat.conversation');
  return (
    <div className={classes.pane}>
      {fitting.length > 0 && (
        <Select
          className={classes.pack}
          aria-label={side ? t(`chat.pack_of.${side}`) : t('chat.pack')}
          data={bound !== null && bound === taken ? offered : [theBound, ...offered]}
          value={pack ?? boundPack}
          allowDeselect={false}
          disabled={chat.running}
          onChange={(value) => onPack(value || null)}
        />
      )}
      <Conversation
        chat={chat}
        label={label}
        typed={typed}
        editing={editing}
        onEditing={onEditing}
        packBytes={fitting.find(({ ref }) => ref === (pack ?? bound))?.size_bytes ?? 0}
        onPick={onPick}
        {...(nobody && { empty: <NotInstalled message={t('chat.not_installed')} /> })}
      >
        {chat.error !== null && <ChatProblem error={chat.error} onRetry={chat.retry} onNew={chat.clear} />}
      </Conversation>
    </div>
  );
}
