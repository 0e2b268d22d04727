/** Warnings of this start of the server; once read it can be put away, and stays on the diagnostics page. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { t } from '../../../strings/t.ts';
import classes from './lost-banner.module.css';

export function StartWarnings() {
  const warnings = useRead('GET /console/state').data?.warnings ?? [];
  const [read, setRead] = useState<string>('');
  const text = warnings.join('\n');
  if (text === '' || text === read) return null;
  return (
    <Alert
      className={classes.banner ?? ''}
      color="yellow"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t('diagnostics.warnings')}
      withCloseButton
      closeButtonLabel={t('dialog.close')}
      onClose={() => setRead(text)}
    >
      {warnings.map((warning) => (
        <div key={warning}>{warning}</div>
      ))}
    </Alert>
  );
}
