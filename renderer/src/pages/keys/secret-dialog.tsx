/** The one time a secret is shown. It closes only by the button that says it is stored. */
import { Button, Group, Modal, Text } from '@mantine/core';
import type { ApiKeyWithSecret } from '../../../../server/api/keys.ts';
import { SecretField } from '../../components/code/secret-field.tsx';
import { t } from '../../strings/t.ts';

export function SecretDialog({ apiKey, onClose }: { apiKey: ApiKeyWithSecret; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.secret_title')}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        {t('keys.secret_note')}
      </Text>
      <SecretField label={apiKey.name} secret={apiKey.secret} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>{t('keys.stored')}</Button>
      </Group>
    </Modal>
  );
}
