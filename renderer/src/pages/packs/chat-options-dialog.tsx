/** Sizes of a chat pack: how many at once, how long, how much memory for it. Empty: as Lokal chooses. */
import { Button, Group, Modal, NumberInput, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ChatPackOptions, PackSummary } from '../../../../server/api/console/packs.ts';
import { useChange } from '../../api/queries.ts';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { titleOf } from '../../format/pack-title.ts';
import { t } from '../../strings/t.ts';
import classes from './chat-options-dialog.module.css';

const sizes = ['slots', 'context', 'cache_mb'] as const;
const fewest = { slots: 1, context: 16, cache_mb: 1 } as const;

interface ChatOptionsDialogProps {
  pack: PackSummary;
  options: ChatPackOptions;
  onClose: () => void;
}

export function ChatOptionsDialog({ pack, options, onClose }: ChatOptionsDialogProps) {
  const [form, setForm] = useState(options);
  const save = useChange('POST /console/packs/options', ['GET /console/packs']);

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate(
      { body: { pack: pack.ref, options: form } },
      {
        onSuccess: () => {
          notifyDone(t('packs.sizes_saved', { name: pack.name }));
          onClose();
        },
      },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('packs.sizes_of', { name: titleOf(pack) })}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form className={classes.form} onSubmit={submit}>
        {sizes.map((name) => (
          <NumberInput
            key={name}
            label={t(`packs.sizes.${name}`)}
            description={
              name === 'context' && pack.context !== null ? t('packs.at_most', { count: pack.context }) : null
            }
            placeholder={t('packs.by_itself')}
            allowDecimal={false}
            min={fewest[name]}
            {...(name === 'context' && pack.context !== null && { max: pack.context })}
            value={form[name] ?? ''}
            onChange={(value) => setForm({ ...form, [name]: value === '' ? null : Number(value) })}
          />
        ))}
        <Switch
          label={t('packs.speculate')}
          description={t('packs.speculate_note')}
          checked={form.speculate}
          onChange={(event) => setForm({ ...form, speculate: event.currentTarget.checked })}
        />
        <Switch
          label={t('packs.int8_kv_cache')}
          description={t('packs.int8_kv_cache_note')}
          checked={form.int8_kv_cache}
          onChange={(event) => setForm({ ...form, int8_kv_cache: event.currentTarget.checked })}
        />
        <Text size="xs" c="dimmed">
          {t('packs.sizes_note')}
        </Text>
        <ProblemNote error={save.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('packs.sizes_save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
