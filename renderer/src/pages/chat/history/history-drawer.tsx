/** Kept conversations: switched on here, opened, exported by opening, forgotten one by one or all at once. */

import { ActionIcon, Button, Select, Switch, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from '../../../api/api-context.tsx';
import { useChange, useRead } from '../../../api/queries.ts';
import { Empty } from '../../../components/feedback/empty.tsx';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { SideDrawer } from '../../../components/frame/side-drawer.tsx';
import { ConfirmDialog } from '../../../components/input/confirm-dialog.tsx';
import { toDay } from '../../../format/time.ts';
import { t } from '../../../strings/t.ts';
import { fromContent, type KeptChat } from '../model/record.ts';
import classes from './history-drawer.module.css';

interface HistoryDrawerProps {
  /** Of the conversation on the page. */
  currentId: string;
  onOpen: (id: string, chat: KeptChat) => void;
  onClose: () => void;
}

const usualDays = 30;
const dayChoices = [7, usualDays, 90, 365];

export function HistoryDrawer({ currentId, onOpen, onClose }: HistoryDrawerProps) {
  const days = useRead('GET /console/settings').data?.chat_history_days ?? 0;
  const [wiping, setWiping] = useState<'off' | 'all' | null>(null);
  const setDays = useChange('PATCH /console/settings', ['GET /console/settings']);
  const keep = (chat_history_days: number) =>
    setDays.mutate({ body: { chat_history_days } }, { onError: notifyProblem });
  return (
    <SideDrawer title={t('chat.history')} size="sm" onClose={onClose}>
      <div className={classes.settings}>
        <Switch
          label={t('chat.history_keep')}
          description={t('chat.history_note')}
          checked={days > 0}
          onChange={(event) => (event.currentTarget.checked ? keep(usualDays) : setWiping('off'))}
        />
        {days > 0 && (
          <Select
            label={t('chat.history_days')}
            data={[...new Set([...dayChoices, days])]
              .toSorted((a, b) => a - b)
              .map((value) => ({
                value: String(value),
                label: t('chat.days', { count: value }),
              }))}
            value={String(days)}
            allowDeselect={false}
            onChange={(value) => keep(Number(value))}
          />
        )}
      </div>
      {days > 0 && <KeptList currentId={currentId} onOpen={onOpen} onWipe={() => setWiping('all')} />}
      {wiping && <WipeDialog switchOff={wiping === 'off'} onClose={() => setWiping(null)} />}
    </SideDrawer>
  );
}

interface KeptListProps {
  currentId: string;
  onOpen: HistoryDrawerProps['onOpen'];
  onWipe: () => void;
}

function KeptList({ currentId, onOpen, onWipe }: KeptListProps) {
  const client = useClient();
  const kept = useRead('GET /console/chats').data?.data ?? [];
  const remove = useChange('DELETE /console/chats/{id}', ['GET /console/chats']);

  async function open(id: string) {
    try {
      const { data } = await client.call('GET /console/chats/{id}', { params: { id } });
      const chat = fromContent(data.content);
      if (!chat) throw new Error(t('chat.history_foreign'));
      onOpen(id, chat);
    } catch (error) {
      notifyProblem(error);
    }
  }

  if (kept.length === 0) return <Empty title={t('chat.history_empty')} text={t('chat.history_empty_note')} />;
  return (
    <>
      <ul className={classes.list}>
        {kept.map(({ id, title, updated }) => (
          <li key={id} data-current={id === currentId || undefined}>
            <button type="button" className={classes.open} onClick={() => void open(id)}>
              <span className={classes.title}>{title}</span>
              <Text span size="xs" c="dimmed">
                {toDay(updated)}
              </Text>
            </button>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('chat.forget', { name: title })}
              onClick={() => remove.mutate({ params: { id } }, { onError: notifyProblem })}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Button
        variant="default"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={onWipe}
      >
        {t('chat.forget_all')}
      </Button>
    </>
  );
}

function WipeDialog({ switchOff, onClose }: { switchOff: boolean; onClose: () => void }) {
  const settings = useChange('PATCH /console/settings', ['GET /console/settings']);
  const wipe = useChange('DELETE /console/chats', ['GET /console/chats']);

  async function confirm() {
    try {
      if (switchOff) await settings.mutateAsync({ body: { chat_history_days: 0 } });
      await wipe.mutateAsync({});
      onClose();
    } catch {
      // The dialog shows it.
    }
  }

  return (
    <ConfirmDialog
      title={switchOff ? t('chat.history_off') : t('chat.forget_all')}
      text={t('chat.forget_all_note')}
      confirm={switchOff ? t('chat.history_off') : t('chat.forget_all')}
      busy={settings.isPending || wipe.isPending}
      error={settings.error ?? wipe.error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
