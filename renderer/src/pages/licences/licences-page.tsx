/** Other people's parts in Lokal; a part's notices and licence open beside it. */
import { Button, Modal, Table, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LicensedPart } from '../../../../server/api/console/installation/licences.ts';
import { useClient } from '../../api/api-context.tsx';
import { hasCode } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ScrollRegion } from '../../components/frame/scroll-region.tsx';
import { t, tn } from '../../strings/t.ts';
import classes from './licences-page.module.css';

export function LicencesPage() {
  const list = useRead('GET /console/licences');
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const shown = toSorted(list.data?.data ?? []).filter(({ name, licence }) =>
    `${name} ${licence}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <Page title={t('licences.title')} lead={t('licences.lead')}>
      {hasCode(list.error, 'not_found') ? (
        <Empty title={t('licences.unlisted')} text={t('licences.unlisted_note')} />
      ) : (
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && (
        <Panel
          flush
          title={t('licences.parts')}
          note={tn('licences.shown', shown.length)}
          actions={
            <TextInput
              w={220}
              aria-label={t('licences.filter')}
              placeholder={t('licences.filter')}
              leftSection={<IconSearch size={14} aria-hidden />}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          }
        >
          {shown.length > 0 ? (
            <Parts parts={shown} onOpen={setOpen} />
          ) : (
            <Empty title={t('licences.none_match')} />
          )}
        </Panel>
      )}
      <p className={classes.note}>{t('licences.electron')}</p>
      {open !== null && <TextDialog name={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const toSorted = (parts: LicensedPart[]) =>
  parts.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));

function Parts({ parts, onOpen }: { parts: LicensedPart[]; onOpen: (name: string) => void }) {
  return (
    <Table verticalSpacing={2}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('licences.name')}</Table.Th>
          <Table.Th>{t('licences.version')}</Table.Th>
          <Table.Th>{t('licences.licence')}</Table.Th>
          <Table.Th aria-label={t('keys.actions')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map(({ name, version, licence }) => (
          <Table.Tr key={`${name}@${version}`}>
            <Table.Td className="lk-mono">{name}</Table.Td>
            <Table.Td className="lk-num">{version}</Table.Td>
            <Table.Td>{licence}</Table.Td>
            <Table.Td>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('licences.read_name', { name })}
                onClick={() => onOpen(name)}
              >
                {t('licences.read')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function TextDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useClient();
  const text = useQuery({
    queryKey: ['GET /console/licences/{id}', name],
    queryFn: async ({ signal }) =>
      (await client.call('GET /console/licences/{id}', { params: { id: name }, signal })).data.text,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={name}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <ProblemNote error={text.error} onRetry={() => void text.refetch()} />
      <ScrollRegion className={classes.text} label={name}>
        <pre>{text.data}</pre>
      </ScrollRegion>
    </Modal>
  );
}
