/** The person's own templates: renamed, forgotten and brought back, taken away as files and taken in. */

import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { CustomTemplate } from '../../../../../server/api/console/templates.ts';
import { Problem } from '../../../api/problem.ts';
import { Empty } from '../../../components/feedback/empty.tsx';
import { notifyDone, notifyProblem } from '../../../components/feedback/notify.ts';
import { notifyUndo } from '../../../components/feedback/notify-undo.tsx';
import { ProblemNote, toMessage } from '../../../components/feedback/problem-note.tsx';
import { SideDrawer } from '../../../components/frame/side-drawer.tsx';
import { ChooseFile } from '../../../components/input/file-drop.tsx';
import { download } from '../../../export/download.ts';
import { t, tn } from '../../../strings/t.ts';
import { readTemplates, withFreeNames, writeTemplates } from './template-file.ts';
import classes from './templates-drawer.module.css';
import { useTemplates } from './use-templates.ts';

export function TemplatesDrawer({ onClose }: { onClose: () => void }) {
  const { templates, error, keep, rename, remove } = useTemplates();

  async function take(file: File): Promise<void> {
    const read = await file
      .text()
      .then(readTemplates)
      .catch(() => null);
    if (!read) return void notifyProblem(new Error(t('documents.own.import_foreign', { name: file.name })));
    const taken = templates.map(({ name }) => name);
    for (const template of withFreeNames(read, taken)) await keep(template).catch(tellRefusal(template.name));
    notifyDone(tn('documents.own.imported', read.length));
  }

  const forget = async (template: CustomTemplate): Promise<void> => {
    await remove(template.name);
    notifyUndo(t('documents.own.forgotten', { name: template.title || template.name }), () =>
      keep(template).catch(notifyProblem),
    );
  };

  return (
    <SideDrawer title={t('documents.own.title')} onClose={onClose}>
      <ProblemNote error={error} />
      {templates.length === 0 && (
        <Empty title={t('documents.own.none')} text={t('documents.own.none_note')} />
      )}
      <ul className={classes.list}>
        {templates.map((template) => (
          <Entry
            key={template.name}
            template={template}
            onRename={(body) => rename(template.name, body)}
            onForget={() => void forget(template).catch(notifyProblem)}
          />
        ))}
      </ul>
      <div className={classes.foot}>
        <ChooseFile accept=".json" onFile={(file) => void take(file).catch(notifyProblem)}>
          {t('documents.own.import')}
        </ChooseFile>
        {templates.length > 1 && (
          <Button variant="default" onClick={() => download('templates.json', writeTemplates(templates))}>
            {t('documents.own.export_all')}
          </Button>
        )}
      </div>
    </SideDrawer>
  );
}

/** @throws Error that says which template was refused, and for which of its fields */
const tellRefusal = (name: string) => (error: unknown) => {
  const param = error instanceof Problem ? error.param : null;
  throw new Error(
    t('documents.own.import_refused', { name: param ? `${name}, ${param}` : name, why: toMessage(error) }),
  );
};

interface EntryProps {
  template: CustomTemplate;
  /** @throws Problem */
  onRename: (body: { name: string; title?: string }) => Promise<unknown>;
  onForget: () => void;
}

function Entry({ template, onRename, onForget }: EntryProps) {
  const [renaming, setRenaming] = useState(false);
  const { name, title, fields } = template;
  const shown = title || name;
  if (renaming)
    return <RenameForm template={template} onRename={onRename} onDone={() => setRenaming(false)} />;
  const tools = [
    { label: t('documents.own.rename', { name: shown }), icon: IconPencil, run: () => setRenaming(true) },
    {
      label: t('documents.own.export', { name: shown }),
      icon: IconDownload,
      run: () => download(`${name}.json`, writeTemplates([template])),
    },
    { label: t('documents.own.forget', { name: shown }), icon: IconTrash, run: onForget },
  ];
  return (
    <li className={classes.entry}>
      <div className={classes.name}>
        <div>{shown}</div>
        <div className={classes.note}>
          <code>custom:{name}</code> · {tn('documents.own.fields', fields.length)}
        </div>
      </div>
      {tools.map(({ label, icon: Icon, run }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={run}>
            <Icon size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </li>
  );
}

interface RenameFormProps {
  template: CustomTemplate;
  onRename: EntryProps['onRename'];
  onDone: () => void;
}

function RenameForm({ template, onRename, onDone }: RenameFormProps) {
  const [name, setName] = useState(template.name);
  const [title, setTitle] = useState(template.title ?? '');
  const [error, setError] = useState<unknown>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onRename({ name, title }).then(onDone, setError);
  }

  return (
    <li>
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          label={t('documents.own.template_title')}
          value={title}
          maxLength={100}
          autoFocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextInput
          label={t('documents.own.template_name')}
          description={t('documents.own.rename_note')}
          value={name}
          maxLength={64}
          classNames={{ input: 'lk-mono' }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ProblemNote error={error} />
        <div className={classes.foot}>
          <Button type="submit">{t('documents.own.save_name')}</Button>
          <Button variant="default" onClick={onDone}>
            {t('dialog.cancel')}
          </Button>
        </div>
      </form>
    </li>
  );
}
