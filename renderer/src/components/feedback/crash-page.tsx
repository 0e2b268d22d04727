/**
 * A page that could not be shown. Pages are loaded when first visited, so the likeliest reason is a server that is gone;
 * else it is a defect of the interface itself, and the server is untouched.
 */
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../strings/t.ts';
import { NoticePage } from './notice-page.tsx';
import { OfflinePage } from './offline-page.tsx';

export function CrashPage() {
  const [answers, setAnswers] = useState<boolean | null>(null);
  const look = useCallback(() => {
    const back = () => (answers === false ? window.location.reload() : setAnswers(true));
    fetch('/healthz').then(back, () => setAnswers(false));
  }, [answers]);
  useEffect(look, [look]);
  if (answers === null) return null;
  if (!answers) return <OfflinePage onRetry={look} busy={false} />;
  return (
    <NoticePage title={t('crash.title')}>
      <p>{t('crash.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
    </NoticePage>
  );
}
