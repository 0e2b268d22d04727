/** Above a page whose server does not answer: the page stays, and its work with it. */
import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useFeedState } from '../../../api/api-context.tsx';
import { t } from '../../../strings/t.ts';
import { startCommand } from '../../feedback/start-command.ts';
import classes from './lost-banner.module.css';

export function LostBanner() {
  if (useFeedState() !== 'lost') return null;
  return (
    <Alert
      className={classes.banner ?? ''}
      color="red"
      role="alert"
      icon={<IconPlugConnectedX size={18} aria-hidden />}
      title={t('offline.title')}
    >
      {t('offline.banner', { command: startCommand() })}
    </Alert>
  );
}
