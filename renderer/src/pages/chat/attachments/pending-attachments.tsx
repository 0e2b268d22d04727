/** Files above the message being written: how far each is read, what it will cost, and a way to take it out again. */
import { ActionIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { toMessage } from '../../../components/feedback/problem-note.tsx';
import { kindOf } from '../../../components/source-file.ts';
import { t } from '../../../strings/t.ts';
import { pendingFacts } from './attachment-facts.ts';
import classes from './attachments.module.css';
import { KindIcon } from './sent-attachments.tsx';
import type { Attachments, PendingAttachment } from './use-attachments.ts';

export function PendingAttachments({ pending, room, remove }: Attachments) {
  if (pending.length === 0) return null;
  return (
    <div className={classes.pending}>
      <ul className={classes.list} aria-label={t('chat.attach.list')}>
        {pending.map((each) => (
          <li key={each.id} className={classes.chip} data-state={each.state}>
            <Mark pending={each} />
            <span className={classes.title}>{each.name}</span>
            {each.state === 'failed' ? (
              <span className={classes.problem} role="alert">
                {toMessage(each.error)}
              </span>
            ) : (
              <span className={`lk-num ${classes.facts}`}>{pendingFacts(each)}</span>
            )}
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t('chat.attach.remove', { name: each.name })}
              onClick={() => remove(each.id)}
            >
              <IconX size={13} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {room && (
        <span className={`lk-num ${classes.facts}`} role="status">
          {t('chat.attach.room', { tokens: room.tokens, context: room.context })}
        </span>
      )}
    </div>
  );
}

function Mark({ pending: { state, name } }: { pending: PendingAttachment }) {
  if (state === 'reading') return <Loader size={12} aria-hidden />;
  if (state === 'failed') return <IconAlertTriangle size={14} className={classes.problem} aria-hidden />;
  return <KindIcon kind={kindOf(name)} />;
}
