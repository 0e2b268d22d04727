/** A short word at the corner that something was done, or was not. */
import { notifications } from '@mantine/notifications';
import { toMessage } from './problem-note.tsx';

export const notifyDone = (message: string): string => notifications.show({ message, color: 'teal' });

export const notifyProblem = (error: unknown): string =>
  notifications.show({ message: toMessage(error), color: 'red', autoClose: 8000 });
