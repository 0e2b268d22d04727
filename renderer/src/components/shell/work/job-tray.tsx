/** Running work, wherever it was begun: how far it is, a way to it, a way to end it; and a notice when it has ended unseen. */
import { ActionIcon, Button, Group, Progress } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useConsoleEvents } from '../../../api/api-context.tsx';
import { t } from '../../../strings/t.ts';
import type { Session } from '../../../work/store.ts';
import { useUnloadGuard } from '../../../work/unload-guard.ts';
import { useAllWork, work } from '../../../work/work-context.ts';
import { playgroundOf } from '../nav-items.tsx';
import { endedText } from './ended-text.ts';
import classes from './job-tray.module.css';

const shownMs = 10_000;

export function JobTray() {
  const { sessions } = useAllWork();
  const open = useOpenSession();
  const running = sessions.filter(({ state, removed }) => state === 'running' && !removed);
  useEndNotices(open);
  useUnloadGuard(running.length > 0);
  useConsoleEvents((event) => {
    if (event.type === 'progress') work.progress(event.request_id, event.page, event.pages);
  });
  if (running.length === 0) return null;
  return (
    <section className={classes.tray} aria-label={t('work.running')}>
      {running.map((session) => (
        <Job key={session.id} session={session} onOpen={() => open(session)} />
      ))}
    </section>
  );
}

export function useOpenSession(): (session: Session) => void {
  const navigate = useNavigate();
  return ({ id, kind }) => {
    work.open(id);
    void navigate(playgroundOf(kind).to);
  };
}

function Job({ session, onOpen }: { session: Session; onOpen: () => void }) {
  const { id, kind, progress } = session;
  const title = session.title ?? t(playgroundOf(kind).label);
  const share = progress ? (progress.done / Math.max(1, progress.total)) * 100 : 100;
  return (
    <div className={classes.job}>
      <div className={classes.line}>
        <button type="button" className={classes.open} onClick={onOpen} title={title}>
          {title}
        </button>
        {progress && (
          <span className={`lk-num ${classes.count}`}>
            {t('work.progress', { done: progress.done, total: progress.total })}
          </span>
        )}
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={t('work.cancel', { name: title })}
          onClick={() => work.cancel(id)}
        >
          <IconX size={13} aria-hidden />
        </ActionIcon>
      </div>
      <Progress size={3} value={share} animated={!progress} aria-label={title} />
    </div>
  );
}

function useEndNotices(open: (session: Session) => void): void {
  useEffect(
    () =>
      work.onEnd((session) => {
        const notice = crypto.randomUUID();
        const go = () => {
          notifications.hide(notice);
          open(session);
        };
        notifications.show({
          id: notice,
          color: session.state === 'failed' ? 'red' : 'teal',
          autoClose: shownMs,
          closeButtonProps: { 'aria-label': t('dialog.close') },
          message: (
            <Group justify="space-between" wrap="nowrap" gap={12}>
              <span className={classes.ended}>{endedText(session)}</span>
              <Button size="compact-sm" variant="default" flex="none" onClick={go}>
                {t('work.open')}
              </Button>
            </Group>
          ),
        });
      }),
    [open],
  );
}
