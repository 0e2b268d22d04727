/** Says that something is gone, and brings it back on request while it says so. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../../strings/t.ts';
import { offerUndo, withdrawUndo } from './last-undo.ts';

const shownMs = 15_000;

export function notifyUndo(message: string, onUndo: () => void): void {
  const id = crypto.randomUUID();
  const undo = () => {
    withdrawUndo(id);
    notifications.hide(id);
    onUndo();
  };
  offerUndo(id, undo);
  notifications.show({
    id,
    color: 'teal',
    autoClose: shownMs,
    onClose: () => withdrawUndo(id),
    message: (
      <Group justify="space-between" wrap="nowrap" gap={12}>
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={undo}>
          {t('dialog.undo')}
        </Button>
      </Group>
    ),
  });
}
