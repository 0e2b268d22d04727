/** Recent work in the navigation: reopened, renamed, pinned, taken away with a way back. */
import { ActionIcon, Button, Group, Menu, Modal, TextInput, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconPin, IconPinnedOff, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ago } from '../../../format/time.ts';
import { t } from '../../../strings/t.ts';
import { work } from '../../../work/work-context.ts';
import { playgroundOf } from '../nav-items.tsx';
import navigation from '../navigation.module.css';
import classes from './recents.module.css';
import { type RecentItem, useRecents } from './use-recents.ts';

/** A menu that closes gives its focus back first. */
const afterMenuMs = 120;

export function Recents() {
  const { items, keeps, place, shown, open, patch, remove } = useRecents();
  const [renaming, setRenaming] = useState<RecentItem | null>(null);
  const list = useRef<HTMLUListElement>(null);
  if (items.length === 0) return null;
  /** The keyboard goes on with the next row. */
  function removeAndGoOn(session: RecentItem): void {
    const at = items.indexOf(session);
    remove(session);
    setTimeout(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>('[data-recent]') ?? [];
      (rows[at] ?? rows[rows.length - 1])?.focus();
    }, afterMenuMs);
  }
  return (
    <div className={classes.section}>
      <div className={classes.head}>
        <div className={navigation.heading} id="recents">
          {t('work.recents')}
        </div>
        {place && (
          <Tooltip label={t('work.fresh_of', { kind: t(playgroundOf(place).label) })} position="right">
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={t('work.fresh')}
              aria-keyshortcuts="n"
              onClick={() => work.begin(place)}
            >
              <IconPlus size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <ul className={classes.list} aria-labelledby="recents" ref={list}>
        {items.map((session) => (
          <Row
            key={session.id}
            session={session}
            current={place === session.kind && shown[session.kind] === session.id}
            onOpen={() => void open(session)}
            onRename={() => setRenaming(session)}
            onPin={() => patch(session, { pinned: !session.pinned })}
            onRemove={() => removeAndGoOn(session)}
          />
        ))}
      </ul>
      {!keeps && (
        <Link to="/settings?part=work" className={classes.note}>
          {t('work.not_kept')}
        </Link>
      )}
      {renaming && (
        <RenameDialog
          session={renaming}
          onRename={(title) => patch(renaming, { title })}
          onClose={() => setRenaming(null)}
        />
      )}
    </div>
  );
}

interface RowProps {
  session: RecentItem;
  current: boolean;
  onOpen: () => void;
  onRename: () => void;
  onPin: () => void;
  onRemove: () => void;
}

function Row({ session, current, onOpen, onRename, onPin, onRemove }: RowProps) {
  const { kind, title, pinned, state, updatedMs } = session;
  const playground = playgroundOf(kind);
  return (
    <li className={classes.row} data-current={current || undefined}>
      <button
        type="button"
        className={classes.open}
        aria-current={current ? 'true' : undefined}
        title={`${title}\n${t(playground.label)} · ${ago(updatedMs / 1000)}`}
        data-recent
        aria-keyshortcuts="Delete"
        onClick={onOpen}
        onKeyDown={(event) => {
          if (event.key === 'Delete') onRemove();
        }}
      >
        <span className={classes.icon} data-state={state}>
          {playground.icon}
        </span>
        <span className={classes.title}>{title}</span>
        {state !== 'open' && <span className={classes.state}>{t(`work.states.${state}`)}</span>}
        {pinned && <IconPin size={13} aria-label={t('work.pinned')} className={classes.pin} />}
      </button>
      <Menu position="right-start" shadow="md">
        <Menu.Target>
          <ActionIcon
            className={classes.more ?? ''}
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('work.more', { name: title })}
          >
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={onRename}>
            {t('work.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={pinned ? <IconPinnedOff size={15} aria-hidden /> : <IconPin size={15} aria-hidden />}
            onClick={onPin}
          >
            {pinned ? t('work.unpin') : t('work.pin')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={onRemove}>
            {t('work.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

interface RenameDialogProps {
  session: RecentItem;
  onRename: (title: string) => void;
  onClose: () => void;
}

function RenameDialog({ session, onRename, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(session.title);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!title.trim()) return;
    onRename(title.trim());
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('work.rename')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit}>
        <TextInput
          label={t('work.name')}
          value={title}
          maxLength={120}
          data-autofocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" disabled={!title.trim()}>
            {t('work.rename')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
