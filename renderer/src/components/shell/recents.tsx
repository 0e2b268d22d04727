/** Recent work in the navigation: reopened, renamed, pinned, taken away with a way back. */
import { ActionIcon, Button, Group, Menu, Modal, TextInput, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconPin, IconPinnedOff, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { ago } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import { recents, type Session } from '../../work/store.ts';
import { useAllWork, work } from '../../work/work-context.ts';
import { notifyUndo } from '../feedback/notify-undo.tsx';
import { playgroundOf } from './nav-items.tsx';
import navigation from './navigation.module.css';
import classes from './recents.module.css';

/** The page of removed work is closed once its notice is gone. */
const undoMs = 16_000;

export function Recents() {
  const all = useAllWork();
  const [renaming, setRenaming] = useState<Session | null>(null);
  const sessions = recents(all);
  if (sessions.length === 0) return null;
  return (
    <div className={`${classes.section} ${navigation.wide}`}>
      <div className={classes.head}>
        <div className={navigation.heading} id="recents">
          {t('work.recents')}
        </div>
        {all.place && (
          <Tooltip label={t('work.fresh_of', { kind: t(playgroundOf(all.place).label) })} position="right">
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={t('work.fresh')}
              aria-keyshortcuts="n"
              onClick={() => all.place && work.begin(all.place)}
            >
              <IconPlus size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <ul className={classes.list} aria-labelledby="recents">
        {sessions.map((session) => (
          <Row
            key={session.id}
            session={session}
            current={all.place === session.kind && all.shown[session.kind] === session.id}
            onRename={() => setRenaming(session)}
          />
        ))}
      </ul>
      {renaming && <RenameDialog session={renaming} onClose={() => setRenaming(null)} />}
    </div>
  );
}

interface RowProps {
  session: Session;
  current: boolean;
  onRename: () => void;
}

function Row({ session, current, onRename }: RowProps) {
  const navigate = useNavigate();
  const { id, kind, pinned, state, updatedMs } = session;
  const title = session.title ?? '';
  const playground = playgroundOf(kind);
  const open = () => {
    work.open(id);
    void navigate(playground.to);
  };
  return (
    <li className={classes.row} data-current={current || undefined}>
      <button
        type="button"
        className={classes.open}
        aria-current={current ? 'true' : undefined}
        title={`${title}\n${t(playground.label)} · ${ago(updatedMs / 1000)}`}
        onClick={open}
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
            onClick={() => work.pin(id, !pinned)}
          >
            {pinned ? t('work.unpin') : t('work.pin')}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => removeWithUndo(session)}
          >
            {t('work.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

function removeWithUndo({ id, title }: Session): void {
  work.remove(id);
  const timer = setTimeout(() => work.forget(id), undoMs);
  notifyUndo(t('work.removed', { name: title ?? '' }), () => {
    clearTimeout(timer);
    work.bringBack(id);
  });
}

function RenameDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [title, setTitle] = useState(session.title ?? '');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!title.trim()) return;
    work.rename(session.id, title.trim());
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
