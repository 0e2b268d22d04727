/** Asks before something that cannot be undone. The focus starts on the way back. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { t } from '../../strings/t.ts';
import { ProblemNote } from '../feedback/problem-note.tsx';

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirm: string;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  title,
  text,
  confirm,
  busy = false,
  error = null,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="sm"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Text size="sm" mb="md">
        {text}
      </Text>
      <ProblemNote error={error} />
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('dialog.cancel')}
        </Button>
        <Button color="red" onClick={onConfirm} loading={busy}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
