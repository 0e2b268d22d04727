/** The server does not answer: said plainly, with a way to try again; it also tries by itself. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { hasCode, offlineCode } from '../../api/problem.ts';
import { t } from '../../strings/t.ts';
import { NoticePage } from './notice-page.tsx';
import { ProblemNote } from './problem-note.tsx';
import { startCommand } from './start-command.ts';

const retryMs = 4_000;

interface OfflinePageProps {
  /** The status answered instead; absent: nothing was. */
  error?: Error;
  onRetry: () => void;
  busy: boolean;
}

export function OfflinePage({ error, onRetry, busy }: OfflinePageProps) {
  useEffect(() => {
    const timer = setInterval(onRetry, retryMs);
    return () => clearInterval(timer);
  }, [onRetry]);
  return (
    <NoticePage title={t('offline.title')}>
      {!error || hasCode(error, offlineCode) ? (
        <p>{t('offline.text', { command: startCommand() })}</p>
      ) : (
        <ProblemNote error={error} />
      )}
      <Button onClick={onRetry} loading={busy}>
        {t('problem.retry')}
      </Button>
    </NoticePage>
  );
}
