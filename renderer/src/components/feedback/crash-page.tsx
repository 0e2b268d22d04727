/** A defect of the interface itself: the page can be loaded again, the server is untouched. */
import { Button } from '@mantine/core';
import { t } from '../../strings/t.ts';
import { NoticePage } from './notice-page.tsx';

export function CrashPage() {
  return (
    <NoticePage title={t('crash.title')}>
      <p>{t('crash.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
    </NoticePage>
  );
}
