/** One conversation and the pack that answers it. */
import { Select } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { NotInstalled } from '../../../components/feedback/not-installed.tsx';
import { toOption } from '../../../format/pack-title.ts';
import { t } from '../../../strings/t.ts';
import type { Chat } from '../use-chat.ts';
import { ChatProblem } from './chat-problem.tsx';
import { Conversation } from './conversation.tsx';
import classes from './pane.module.css';

interface PaneProps {
  chat: Chat;
  /** Which of two; null where there is one. */
  side: 'left' | 'right' | null;
  pack: string | null;
  /** Names of the tools that the person has typed. */
  typed: readonly string[];
  onPack: (pack: string | null) => void;
  editing: string | null;
  onEditing: (id: string | null) => void;
  onPick: (text: string) => void;
}

const role = 'svc-lingua-7b';
const theBound = '';

export function Pane({ chat, side, pack, typed, onPack, editing, onEditing, onPick }: PaneProps) {
  const overview = useRead('GET /console/packs').data;
  const fitting = overview?.packs.filter(({ roles }) => roles.includes(role)) ?? [];
  const bound = overview?.roles.find((each) => each.role === role)?.pack ?? null;
  const nobody = overview !== undefined && bound === null && pack === null;
  const label = side ? t(`chat.panes.${side}`) : t('chat.conversation');
  return (
    <div className={classes.pane}>
      {fitting.length > 0 && (
        <Select
          className={classes.pack}
          aria-label={side ? t(`chat.pack_of.${side}`) : t('chat.pack')}
          data={[
            { value: theBound, label: bound ? t('chat.pack_bound', { pack: bound }) : t('chat.pack_none') },
            // The bound one is there already.
            ...fitting.filter(({ ref }) => ref !== bound).map(toOption),
          ]}
          value={pack ?? theBound}
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
        onPick={onPick}
        {...(nobody && { empty: <NotInstalled message={t('chat.not_installed')} /> })}
      >
        {chat.error !== null && <ChatProblem error={chat.error} onRetry={chat.retry} onNew={chat.clear} />}
      </Conversation>
    </div>
  );
}
