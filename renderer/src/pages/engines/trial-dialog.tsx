import { Button, Group, Modal } from '@mantine/core';
import type { RemoteEngine } from '../../../../server/api/console/engines.ts';
import { t } from '../../strings/t.ts';
import { TrialView } from './trial-view.tsx';

interface TrialDialogProps {
  engine: RemoteEngine;
  onEdit: () => void;
  onClose: () => void;
}

export function TrialDialog({ engine, onClose, onEdit }: TrialDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('engines.result', { name: engine.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      {engine.trial && <TrialView trial={engine.trial} />}
      <Group justify="flex-end" mt="md" gap={8}>
        {!engine.from_file && (
          <Button variant="default" onClick={onEdit}>
            {t('engines.edit')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('engines.done')}
        </Button>
      </Group>
    </Modal>
  );
}
