/** Rotation: a replacement now, the old key until its overlap ends. */
import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, ApiKeyWithSecret } from '../../../../server/api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { t } from '../../strings/t.ts';

interface RotateDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
  onRotated: (key: ApiKeyWithSecret) => void;
}

const overlaps = { none: 0, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
type Overlap = keyof typeof overlaps;

export function RotateDialog({ apiKey, onClose, onRotated }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('day');
  const rotate = useChange('POST /console/keys/{id}/rotate', ['GET /console/keys']);
  const submit = () =>
    rotate.mutate(
      { params: { id: apiKey.id }, body: { overlap_seconds: overlaps[overlap] } },
      { onSuccess: (key) => onRotated(key) },
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.rotate_name', { name: apiKey.name })}
      size="md"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Text size="sm" mb="md">
        {t('keys.rotate_note')}
      </Text>
      <Select
        data-autofocus
        label={t('keys.overlap')}
        data={(Object.keys(overlaps) as Overlap[]).map((value) => ({
          value,
          label: t(`keys.overlaps.${value}`),
        }))}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap((value ?? 'day') as Overlap)}
      />
      <ProblemNote error={rotate.error} />
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('dialog.cancel')}
        </Button>
        <Button onClick={submit} loading={rotate.isPending}>
          {t('keys.rotate')}
        </Button>
      </Group>
    </Modal>
  );
}
