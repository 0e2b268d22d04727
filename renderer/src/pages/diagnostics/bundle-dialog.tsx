import { Button, Group, Modal, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Diagnostics } from '../../../../server/api/console/installation/diagnostics.ts';
import { ScrollRegion } from '../../components/frame/scroll-region.tsx';
import { download } from '../../export/download.ts';
import { t } from '../../strings/t.ts';
import classes from './diagnostics-page.module.css';

/** Shows every line of the file before it can be saved. */
export function BundleDialog({ data, onClose }: { data: Diagnostics; onClose: () => void }) {
  const text = `${JSON.stringify({ written: new Date().toISOString(), ...data }, null, 2)}\n`;
  const save = () => {
    download(`lokal-support-${new Date().toISOString().slice(0, 10)}.json`, text, 'application/json');
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('diagnostics.bundle_title')}
      size="xl"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Text size="sm" mb="sm">
        {t('diagnostics.bundle_note')}
      </Text>
      <ScrollRegion label={t('diagnostics.bundle_text')} className={classes.bundle}>
        <pre>{text}</pre>
      </ScrollRegion>
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('dialog.cancel')}
        </Button>
        <Button leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
          {t('diagnostics.bundle_save')}
        </Button>
      </Group>
    </Modal>
  );
}
