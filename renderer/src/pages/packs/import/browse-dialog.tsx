/** Folders of this machine, as the server sees them. */
import { Badge, Button, Modal } from '@mantine/core';
import { IconArrowUp, IconFile, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FolderListing } from '../../../../../server/api/console/packs.ts';
import { useClient } from '../../../api/api-context.tsx';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { ScrollRegion } from '../../../components/frame/scroll-region.tsx';
import { bytes } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import classes from './browse-dialog.module.css';

interface BrowseDialogProps {
  start: string | null;
  onChoose: (path: string) => void;
  onClose: () => void;
}

export function BrowseDialog({ start, onChoose, onClose }: BrowseDialogProps) {
  const client = useClient();
  const [path, setPath] = useState(start);
  const listing = useQuery({
    queryKey: ['POST /console/packs/browse', path],
    queryFn: async ({ signal }) =>
      (await client.call('POST /console/packs/browse', { body: { path }, signal })).data,
    retry: false,
    placeholderData: (before) => before,
  });
  const { data } = listing;
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
          onClick={() => setPath(listing.error ? null : (data?.parent ?? null))}
        >
          {t('packs.folder_up')}
        </Button>
        <span className={`lk-mono ${classes.path}`}>{listing.error ? path : data?.path}</span>
      </div>
      {listing.error && <ProblemNote error={listing.error} onRetry={() => void listing.refetch()} />}
      <ScrollRegion className={classes.list} label={t('packs.browse_title')}>
        {data?.entries.length === 0 && <p className={classes.none}>{t('packs.folder_empty')}</p>}
        <ul>
          {data?.entries.map((entry) => (
            <Entry key={entry.path} entry={entry} onOpen={setPath} onChoose={onChoose} />
          ))}
        </ul>
      </ScrollRegion>
    </Modal>
  );
}

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
