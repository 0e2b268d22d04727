/** Folders of this machine, as the server sees them. */
import { ActionIcon, Badge, Button, Modal, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowUp, IconFile, IconFolder, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { FolderListing } from '../../../../../server/api/console/packs.ts';
import { useClient } from '../../../api/api-context.tsx';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { ScrollRegion } from '../../../components/frame/scroll-region.tsx';
import { bytes } from '../../../format/numbers.ts';
import { t, tn } from '../../../strings/t.ts';
import classes from './browse-dialog.module.css';

interface BrowseDialogProps {
  start: string | null;
  onChoose: (path: string) => void;
  onClose: () => void;
}

export function BrowseDialog({ start, onChoose, onClose }: BrowseDialogProps) {
  const client = useClient();
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState('');
  const [debounced] = useDebouncedValue(typed.trim(), 200);
  const name = isPath(debounced) ? '' : debounced;
  const listing = useQuery({
    queryKey: ['POST /console/packs/browse', path, name],
    queryFn: async ({ signal }) =>
      (await client.call('POST /console/packs/browse', { body: { path, name }, signal })).data,
    retry: false,
    placeholderData: (before) => before,
  });
  const { data } = listing;
  const open = (next: string | null) => {
    setPath(next);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isPath(typed.trim())) return;
    event.preventDefault();
    open(typed.trim());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('packs.browse_title')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <div className={classes.place}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowUp size={13} aria-hidden />}
          disabled={!data?.parent && !listing.error}
          onClick={() => open(listing.error ? null : (data?.parent ?? null))}
        >
          {t('packs.folder_up')}
        </Button>
        <span className={`lk-mono ${classes.path}`}>{listing.error ? path : data?.path}</span>
        <Tooltip label={t('packs.reload')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={listing.isFetching}
            aria-label={t('packs.reload')}
            onClick={() => void listing.refetch()}
          >
            <IconRefresh size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <TextInput
        mb={8}
        aria-label={t('packs.filter')}
        placeholder={t('packs.filter')}
        value={typed}
        spellCheck={false}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {listing.error && <ProblemNote error={listing.error} onRetry={() => void listing.refetch()} />}
      <ScrollRegion className={classes.list} label={t('packs.browse_title')}>
        {data?.entries.length === 0 && (
          <p className={classes.none}>{t(name ? 'packs.filter_none' : 'packs.folder_empty')}</p>
        )}
        <ul>
          {data?.entries.map((entry) => (
            <Entry key={entry.path} entry={entry} onOpen={open} onChoose={onChoose} />
          ))}
        </ul>
        {data && data.left_out > 0 && <p className={classes.none}>{tn('packs.left_out', data.left_out)}</p>}
      </ScrollRegion>
    </Modal>
  );
}

const isPath = (text: string): boolean => /^([/~]|[a-z]:[\\/]|\\\\)/i.test(text);

interface EntryProps {
  entry: FolderListing['entries'][number];
  onOpen: (path: string) => void;
  onChoose: (path: string) => void;
}

/** A click chooses a model that can be imported and opens any other folder. */
function Entry({ entry, onOpen, onChoose }: EntryProps) {
  const Icon = entry.folder ? IconFolder : IconFile;
  return (
    <li>
      <button
        type="button"
        className={classes.entry}
        onClick={() => (entry.kind ? onChoose(entry.path) : onOpen(entry.path))}
      >
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={classes.name}>{entry.name}</span>
        {entry.size_bytes !== null && <span className={classes.size}>{bytes(entry.size_bytes)}</span>}
        {entry.kind && <Badge color="teal">{t(`packs.kinds.${entry.kind}`)}</Badge>}
      </button>
    </li>
  );
}
