/** Keeping work across restarts: said once, for how long, and taken back with all that was kept. */
import { Button, Select, Switch } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { t } from '../../strings/t.ts';
import classes from './settings-page.module.css';

const usualDays = 30;
const dayChoices = [7, usualDays, 90, 365];

export function WorkPanel() {
  const settings = useRead('GET /console/settings').data;
  const days = settings?.work_history_days ?? 0;
  const change = useChange('PATCH /console/settings', ['GET /console/settings']);
  const [wiping, setWiping] = useState<'off' | 'all' | null>(null);
  const keep = (work_history_days: number) =>
    change.mutate({ body: { work_history_days } }, { onError: notifyProblem });
  return (
    <Panel part="work" title={t('settings.work')} note={t('settings.work_note')}>
      <div className={classes.appearance}>
        <Switch
          className={classes.keep ?? ''}
          label={t('settings.work_keep')}
          description={t('settings.work_keep_note')}
          checked={days > 0}
          disabled={!settings}
          onChange={(event) => (event.currentTarget.checked ? keep(usualDays) : setWiping('off'))}
        />
        {days > 0 && (
          <>
            <Select
              label={t('settings.work_days')}
              data={[...new Set([...dayChoices, days])]
                .toSorted((a, b) => a - b)
                .map((value) => ({ value: String(value), label: t('chat.days', { count: value }) }))}
              value={String(days)}
              allowDeselect={false}
              onChange={(value) => keep(Number(value))}
            />
            <Button
              variant="default"
              color="red"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => setWiping('all')}
            >
              {t('settings.work_forget')}
            </Button>
          </>
        )}
      </div>
      {wiping && <WipeDialog switchOff={wiping === 'off'} onClose={() => setWiping(null)} />}
    </Panel>
  );
}

function WipeDialog({ switchOff, onClose }: { switchOff: boolean; onClose: () => void }) {
  const settings = useChange('PATCH /console/settings', ['GET /console/settings']);
  const wipe = useChange('DELETE /console/work', ['GET /console/work']);

  async function confirm() {
    try {
      if (switchOff) await settings.mutateAsync({ body: { work_history_days: 0 } });
      await wipe.mutateAsync({});
      onClose();
    } catch {
      // The dialog shows it.
    }
  }

  const title = switchOff ? t('settings.work_off') : t('settings.work_forget');
  return (
    <ConfirmDialog
      title={title}
      text={t('settings.work_forget_note')}
      confirm={title}
      busy={settings.isPending || wipe.isPending}
      error={settings.error ?? wipe.error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
