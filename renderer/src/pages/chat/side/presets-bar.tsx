/** Parameters under a name: taken up, saved, removed. Kept on this machine, sealed like the history. */
import { ActionIcon, Button, Popover, Select, TextInput, Tooltip } from '@mantine/core';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../../api/api-context.tsx';
import { useChange, useRead } from '../../../api/queries.ts';
import { notifyDone, notifyProblem } from '../../../components/feedback/notify.ts';
import { t } from '../../../strings/t.ts';
import { defaultParameters, type Parameters, toParameters } from '../model/parameters.ts';
import classes from './presets-bar.module.css';

interface PresetsBarProps {
  parameters: Parameters;
  onParameters: (parameters: Parameters) => void;
}

const builtIn = '';

export function PresetsBar({ parameters, onParameters }: PresetsBarProps) {
  const client = useClient();
  const presets = useRead('GET /console/chat-presets').data?.data ?? [];
  const remove = useChange('DELETE /console/chat-presets/{id}', ['GET /console/chat-presets']);
  const [chosen, setChosen] = useState<string>(builtIn);
  const current = presets.find(({ id }) => id === chosen);

  async function take(id: string) {
    setChosen(id);
    if (id === builtIn) return onParameters(defaultParameters);
    try {
      const { data } = await client.call('GET /console/chat-presets/{id}', { params: { id } });
      onParameters(toParameters(JSON.parse(data.content)));
    } catch (error) {
      notifyProblem(error);
    }
  }

  return (
    <div className={classes.bar}>
      <Select
        className={classes.select}
        aria-label={t('chat.preset')}
        data={[
          { value: builtIn, label: t('chat.preset_default') },
          ...presets.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={current ? chosen : builtIn}
        allowDeselect={false}
        onChange={(id) => void take(id ?? builtIn)}
      />
      <SavePreset
        key={chosen}
        name={current?.title ?? ''}
        id={(name) => presets.find(({ title }) => title === name)?.id ?? crypto.randomUUID()}
        parameters={parameters}
        onSaved={setChosen}
      />
      <Tooltip label={t('chat.preset_remove')}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('chat.preset_remove')}
          disabled={!current}
          onClick={() =>
            remove.mutate(
              { params: { id: chosen } },
              { onSuccess: () => setChosen(builtIn), onError: notifyProblem },
            )
          }
        >
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface SavePresetProps {
  name: string;
  /** A preset of that name is written over. */
  id: (name: string) => string;
  parameters: Parameters;
  onSaved: (id: string) => void;
}

function SavePreset({ name: known, id, parameters, onSaved }: SavePresetProps) {
  const save = useChange('PUT /console/chat-presets/{id}', ['GET /console/chat-presets']);
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState(known);

  function submit(event: FormEvent) {
    event.preventDefault();
    const title = name.trim();
    if (!title) return;
    save.mutate(
      { params: { id: id(title) }, body: { title, content: JSON.stringify(parameters) } },
      {
        onSuccess: (preset) => {
          setOpened(false);
          notifyDone(t('chat.preset_saved', { name: preset.title }));
          onSaved(preset.id);
        },
        onError: notifyProblem,
      },
    );
  }

  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('chat.preset_save')}
          title={t('chat.preset_save')}
          onClick={() => setOpened(!opened)}
        >
          <IconDeviceFloppy size={15} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('chat.preset_save')}>
        <form className={classes.form} onSubmit={submit}>
          <TextInput
            label={t('chat.preset_name')}
            maxLength={80}
            value={name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={save.isPending} disabled={!name.trim()}>
            {t('chat.save')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
