/** A dot that says whether the page hears the server. */
import { Tooltip } from '@mantine/core';
import { useFeedState } from '../../../api/api-context.tsx';
import { t } from '../../../strings/t.ts';
import classes from './connection.module.css';

const labels = {
  open: 'shell.connected',
  connecting: 'shell.connecting',
  lost: 'shell.disconnected',
} as const;

export function Connection() {
  const state = useFeedState();
  const label = t(labels[state]);
  return (
    <Tooltip label={label} position="right">
      <span className={classes.dot} data-state={state} role="status" aria-label={label} />
    </Tooltip>
  );
}
