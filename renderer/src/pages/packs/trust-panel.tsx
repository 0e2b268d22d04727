/** The signers whose packs count as known, and whether others are taken at all. */
import { Button, Switch, Table, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { toDay } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import classes from './trust-panel.module.css';

export function TrustPanel() {
  const list = useRead('GET /console/trust');
  const settings = useRead('GET /console/settings');
  const change = useChange('PATCH /console/settings', ['GET /console/settings']);
  const remove = useChange('DELETE /console/trust/{id}', ['GET /console/trust', 'GET /console/packs']);
  const keys = list.data?.data ?? [];
  return (
    <Panel title={t('packs.trust')} note={t('packs.trust_note')}>
      <ProblemNote error={list.error ?? change.error ?? remove.error} />
      <Switch
        label={t('packs.signed_only')}
        description={t('packs.signed_only_note')}
        checked={settings.data?.signed_packs_only ?? false}
        disabled={!settings.data || change.isPending}
        onChange={(event) => change.mutate({ body: { signed_packs_only: event.currentTarget.checked } })}
      />
      {keys.length > 0 && (
        <Table mt={12}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('packs.signer')}</Table.Th>
              <Table.Th>{t('packs.fingerprint')}</Table.Th>
              <Table.Th>{t('packs.since')}</Table.Th>
              <Table.Th aria-label={t('keys.actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map(({ public_key: id, name, fingerprint, added }) => (
              <Table.Tr key={id}>
                <Table.Td>{name}</Table.Td>
                <Table.Td className="lk-mono">{fingerprint}</Table.Td>
                <Table.Td>{toDay(added)}</Table.Td>
                <Table.Td>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('packs.distrust_name', { name })}
                    onClick={() => remove.mutate({ params: { id } })}
                  >
                    {t('packs.distrust')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <AddSigner />
    </Panel>
  );
}

function AddSigner() {
  const add = useChange('POST /console/trust', ['GET /console/trust', 'GET /console/packs']);
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    const body = { public_key: key.trim(), name: name.trim() };
    const clear = () => {
      setKey('');
      setName('');
    };
    add.mutate({ body }, { onSuccess: clear });
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        className={classes.key}
        label={t('packs.signer_key')}
        placeholder="ed25519:…"
        value={key}
        spellCheck={false}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput
        label={t('packs.signer')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isPending} disabled={!key.trim() || !name.trim()}>
        {t('packs.trust_add')}
      </Button>
      <ProblemNote error={add.error} />
    </form>
  );
}
