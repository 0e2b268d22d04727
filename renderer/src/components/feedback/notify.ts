/** A short word at the corner that something was done, or was not. */
import { notifications } from '@mantine/notifications';
import { t } from '../../strings/t.ts';
import { toMessage } from './problem-note.tsx';

const closable = () => ({ closeButtonProps: { 'aria-label': t('dialog.close') } });

export const notifyDone = (message: string): string =>
  notifications.show({ message, color: 'teal', ...closable() });

export const notifyProblem = (error: unknown): string =>
  notifications.show({ message: toMessage(error), color: 'red', autoClose: 8000, ...closable() });
