/** Packs: which one serves each role, what its host does, and what else is installed. */
import { useState } from 'react';
import type { PackSummary, RoleBinding } from '../../../../server/api/console/packs.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { titleOf } from '../../format/pack-title.ts';
import { t } from '../../strings/t.ts';
import { ChatOptionsDialog } from './chat-options-dialog.tsx';
import { ImportPanel } from './import/import-panel.tsx';
import { InstalledPanel } from './installed-panel.tsx';
import { RolesPanel } from './roles-panel.tsx';
import { TrustPanel } from './trust-panel.tsx';

export function PacksPage() {
  const overview = useRead('GET /console/packs', { refetchInterval: 15_000 });
  const [sizing, setSizing] = useState<PackSummary | null>(null);
  const [removing, setRemoving] = useState<PackSummary | null>(null);
  return (
    <Page title={t('packs.title')} lead={t('packs.lead')}>
      <ProblemNote error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.data && (
        <>
          <RolesPanel overview={overview.data} />
          <ImportPanel />
          <TrustPanel />
          <InstalledPanel packs={overview.data.packs} onRemove={setRemoving} onSizes={setSizing} />
        </>
      )}
      {sizing?.chat_options && (
        <ChatOptionsDialog pack={sizing} options={sizing.chat_options} onClose={() => setSizing(null)} />
      )}
      {removing && (
        <RemoveDialog pack={removing} roles={overview.data?.roles ?? []} onClose={() => setRemoving(null)} />
      )}
    </Page>
  );
}

interface RemoveDialogProps {
  pack: PackSummary;
  /** As they are served until it is removed. */
  roles: readonly RoleBinding[];
  onClose: () => void;
}

function RemoveDialog({ pack, roles, onClose }: RemoveDialogProps) {
  const remove = useChange('POST /console/packs/remove', ['GET /console/packs', 'GET /console/state']);
  const confirm = () =>
    remove.mutate(
      { body: { pack: pack.ref } },
      {
        onSuccess: ({ roles: now }) => {
          const served = roles.filter((each) => each.pack === pack.ref).map(({ role }) => role);
          if (served.length === 0) notifyDone(t('packs.removed', { name: pack.name }));
          for (const role of served) {
            const starter = now.find((each) => each.role === role)?.pack ?? '';
            notifyDone(t('packs.removed_returned', { name: pack.name, role, pack: starter }));
          }
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t('packs.remove_name', { name: titleOf(pack) })}
      text={t('packs.remove_note')}
      confirm={t('packs.remove')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
