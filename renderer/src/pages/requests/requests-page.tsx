/** The live log of requests: metadata alone, newest first, with what is still under way. */
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconActivity, IconPlayerPause, IconPlayerPlay, IconSearch, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { t, tn } from '../../strings/t.ts';
import {
  filterRequests,
  keysOf,
  noRequestFilter,
  type RequestFilter,
  statusClasses,
} from './request-filter.ts';
import { RequestTable } from './request-table.tsx';

export function RequestsPage() {
  const log = useRead('GET /console/requests');
  const [filter, setFilter] = useState(noRequestFilter);
  const { shown: entries, paused, toggle } = usePausable(log.data?.data ?? []);
  const [clearing, setClearing] = useState(false);
  const shown = filterRequests(entries, filter);
  return (
    <Page
      title={t('requests.title')}
      lead={t('requests.lead')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={
              paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
            }
            aria-pressed={paused}
            onClick={toggle}
          >
            {t(paused ? 'requests.resume' : 'requests.pause')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => setClearing(true)}
          >
            {t('requests.clear')}
          </Button>
        </>
      }
    >
      <ProblemNote error={log.error} onRetry={() => void log.refetch()} />
      {log.data && (
        <Panel
          flush
          title={t('requests.latest')}
          note={paused ? t('requests.paused') : tn('requests.shown', shown.length)}
          actions={<Filters filter={filter} onFilter={setFilter} keys={keysOf(entries)} />}
        >
          {shown.length > 0 ? (
            <RequestTable entries={shown} />
          ) : (
            <Empty
              icon={<IconActivity size={28} stroke={1.4} aria-hidden />}
              title={t(entries.length > 0 ? 'requests.none_match' : 'requests.none')}
              {...(entries.length > 0 ? {} : { text: t('requests.none_note') })}
            />
          )}
        </Panel>
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </Page>
  );
}

/** While paused, the rows stay as they were at that moment. */
function usePausable<T>(entries: T[]) {
  const [held, setHeld] = useState<T[] | null>(null);
  return { shown: held ?? entries, paused: held !== null, toggle: () => setHeld(held ? null : entries) };
}

interface FiltersProps {
  filter: RequestFilter;
  onFilter: (filter: RequestFilter) => void;
  keys: { value: string; label: string }[];
}

function Filters({ filter, onFilter, keys }: FiltersProps) {
  return (
    <>
      <TextInput
        w={180}
        aria-label={t('requests.filter')}
        placeholder={t('requests.filter')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t('requests.status')}
        data={statusClasses.map((value) => ({ value, label: t(`requests.statuses.${value}`) }))}
        value={filter.status}
        onChange={(value) => onFilter({ ...filter, status: value as RequestFilter['status'] })}
      />
      <Select
        w={150}
        aria-label={t('requests.key')}
        data={[{ value: '', label: t('requests.any_key') }, ...keys]}
        value={filter.keyId ?? ''}
        allowDeselect={false}
        onChange={(keyId) => onFilter({ ...filter, keyId: keyId || null })}
      />
    </>
  );
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const clear = useChange('DELETE /console/requests', ['GET /console/requests']);
  return (
    <ConfirmDialog
      title={t('requests.clear_title')}
      text={t('requests.clear_note')}
      confirm={t('requests.clear')}
      busy={clear.isPending}
      error={clear.error}
      onConfirm={() => clear.mutate({}, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
