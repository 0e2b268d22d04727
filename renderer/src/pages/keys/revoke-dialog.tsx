import type { ApiKey } from '../../../../server/api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { ago } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import { shownKey } from './key-rows.ts';

/** Revocation cannot be taken back, so it is asked about by name. */
export function RevokeDialog({
  apiKey,
  keys,
  onClose,
}: {
  apiKey: ApiKey;
  keys: ApiKey[];
  onClose: () => void;
}) {
  const replaced = keys.find((key) => key.replaced_by === apiKey.id && key.status === 'rotating');
  const revoke = useChange('DELETE /console/keys/{id}', ['GET /console/keys']);
  const confirm = () =>
    revoke.mutate(
      { params: { id: apiKey.id } },
      {
        onSuccess: () => {
          notifyDone(t('keys.revoked', { name: `${apiKey.name} (${shownKey(apiKey)})` }));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t('keys.revoke_name', { name: apiKey.name })}
      text={[
        t('keys.revoke_which', { key: shownKey(apiKey) }),
        t('keys.revoke_note'),
        ...(replaced?.overlap_ends
          ? [
              t('keys.revoke_replaced', {
                key: shownKey(replaced),
                when: ago(replaced.overlap_ends),
              }),
            ]
          : []),
      ].join(' ')}
      confirm={t('keys.revoke')}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
