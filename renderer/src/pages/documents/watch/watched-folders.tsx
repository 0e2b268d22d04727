/** Folders whose documents the server reads as they are dropped: added, stopped, forgotten, with their last errors. */

import { Badge, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WatchedFolder } from '../../../../../server/api/console/watched-folders.ts';
import { useChange, useRead } from '../../../api/queries.ts';
import { Empty } from '../../../components/feedback/empty.tsx';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { SideDrawer } from '../../../components/frame/side-drawer.tsx';
import { t } from '../../../strings/t.ts';
import { type TemplateChoice, TemplateSelect } from '../templates/template-select.tsx';
import classes from './watched-folders.module.css';

const listKey = 'GET /console/watched-folders';

export function WatchedFolders({ onClose }: { onClose: () => void }) {
  const list = useRead(listKey, { refetchInterval: 2_000 });
  const folders = list.data?.data ?? [];
  return (
    <SideDrawer title={t('documents.watch.title')} onClose={onClose}>
      <ProblemNote error={list.error} />
      <AddFolder />
      {list.data && folders.length === 0 && (
        <Empty title={t('documents.watch.none')} text={t('documents.watch.none_note')} />
      )}
      <ul className={classes.list} aria-label={t('documents.watch.title')}>
        {folders.map((folder) => (
          <Entry key={folder.id} folder={folder} />
        ))}
      </ul>
    </SideDrawer>
  );
}

function AddFolder() {
  const add = useChange('POST /console/watched-folders', [listKey]);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [template, setTemplate] = useState<TemplateChoice>(null);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const body = { from: from.trim(), to: to.trim(), ...(template && { template }) };
    const clear = () => {
      setFrom('');
      setTo('');
    };
    add.mutate({ body }, { onSuccess: clear });
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label={t('documents.watch.from')}
        required
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        label={t('documents.watch.to')}
        required
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <div className={classes.row}>
        <TemplateSelect value={template} onChange={setTemplate} />
        <Button type="submit" loading={add.isPending}>
          {t('documents.watch.add')}
        </Button>
      </div>
      <ProblemNote error={add.error} />
    </form>
  );
}

const colors = { watching: 'teal', stopped: 'gray', failed: 'red' } as const;

function Entry({ folder }: { folder: WatchedFolder }) {
  const { id, from, to, state, error, done, failed, errors } = folder;
  const start = useChange('POST /console/watched-folders/{id}/start', [listKey]);
  const stop = useChange('POST /console/watched-folders/{id}/stop', [listKey]);
  const remove = useChange('DELETE /console/watched-folders/{id}', [listKey]);
  const watching = state === 'watching';
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <span className={`lk-mono ${classes.path}`}>{from}</span>
        <Badge color={colors[state]}>{t(`documents.watch.states.${state}`)}</Badge>
      </div>
      <span className={`lk-mono ${classes.note}`}>→ {to}</span>
      <span className={`lk-num ${classes.note}`}>{t('documents.watch.counts', { done, failed })}</span>
      {error && <span role="alert">{error}</span>}
      {errors.length > 0 && (
        <ul className={classes.errors} aria-label={t('documents.watch.errors')}>
          {errors.map(({ name, reason }) => (
            <li key={name}>
              <span className="lk-mono">{name}</span>: {reason}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.row}>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => (watching ? stop : start).mutate({ params: { id } })}
        >
          {t(watching ? 'documents.watch.stop' : 'documents.watch.start')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => remove.mutate({ params: { id } })}
        >
          {t('documents.watch.forget')}
        </Button>
      </div>
      <ProblemNote error={start.error ?? stop.error ?? remove.error} />
    </li>
  );
}
