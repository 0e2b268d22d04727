/** Advice on chat models that works offline: which fit this machine, how fast they would be, where to get and how to bring them. */
import { Badge, Button, Group, Loader, Switch, Table } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MachineFigures } from '../../../../../server/api/console/packs.ts';
import { useChange, useRead } from '../../../api/queries.ts';
import { CopyButton } from '../../../components/code/copy-button.tsx';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { Page } from '../../../components/frame/page.tsx';
import { Panel } from '../../../components/frame/panel.tsx';
import { bytes, count } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import { type Advice, adviseOn, byFit, recommend } from './advice.ts';
import { FoundPanel } from './found-panel.tsx';
import classes from './models-page.module.css';
import { type OpenModel, openModels } from './open-models.ts';

const mebibyte = 1_048_576;

export function ModelsPage() {
  const machine = useRead('GET /console/packs/machine');
  return (
    <Page
      title={t('advice.title')}
      lead={t('advice.lead')}
      actions={
        <Button component={Link} to="/packs" variant="default">
          {t('packs.import')}
        </Button>
      }
    >
      <ProblemNote error={machine.error} onRetry={() => void machine.refetch()} />
      {machine.isPending && (
        <Panel title={t('advice.models')}>
          <Group gap={10} role="status">
            <Loader size="xs" aria-hidden />
            {t('advice.measuring')}
          </Group>
        </Panel>
      )}
      {machine.data && <Models machine={machine.data} />}
      <FoundPanel />
      <Panel title={t('advice.stick')}>
        <ol className={classes.steps}>
          {(['get', 'check', 'carry', 'import', 'bind'] as const).map((step) => (
            <li key={step}>{t(`advice.steps.${step}`)}</li>
          ))}
        </ol>
      </Panel>
    </Page>
  );
}

function Models({ machine }: { machine: MachineFigures }) {
  const [all, setAll] = useState(false);
  const measure = useChange('POST /console/packs/machine', ['GET /console/packs/machine']);
  const best = recommend(openModels, machine);
  const advised = openModels
    .map((model) => ({ model, advice: adviseOn(model, machine) }))
    .filter(({ advice }) => all || advice.fit !== 'none')
    .toSorted(byFit);
  const speed = machine.read_bytes_per_second;
  return (
    <Panel
      flush
      title={t('advice.models')}
      note={[
        t('advice.memory', {
          memory: bytes(machine.memory_mb * mebibyte),
          most: bytes(machine.ceiling_mb * mebibyte),
        }),
        t('advice.disk', { free: bytes(machine.free_disk_bytes) }),
        speed === null ? t('advice.unmeasured') : t('advice.measured', { speed: bytes(speed) }),
      ].join(' · ')}
      actions={
        <>
          <Switch
            label={t('advice.all')}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            loading={measure.isPending}
            onClick={() => measure.mutate({}, { onError: notifyProblem })}
          >
            {t('advice.again')}
          </Button>
        </>
      }
    >
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('advice.model')}</Table.Th>
            <Table.Th>{t('advice.fit')}</Table.Th>
            <Table.Th className={classes.number}>{t('packs.memory')}</Table.Th>
            <Table.Th className={classes.number}>{t('advice.speed')}</Table.Th>
            <Table.Th className={classes.number}>{t('advice.context')}</Table.Th>
            <Table.Th>{t('packs.licence')}</Table.Th>
            <Table.Th>{t('advice.file')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {advised.map(({ model, advice }) => (
            <Row key={model.name} model={model} advice={advice} best={model === best} />
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.note}>{t('advice.estimate_note')}</p>
    </Panel>
  );
}

const fitColors = { good: 'teal', slow: 'orange', tight: 'orange', none: 'gray' } as const;

function Row({ model, advice, best }: { model: OpenModel; advice: Advice; best: boolean }) {
  const address = `huggingface.co/${model.repository}`;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.model}>
        {model.name} {best && <Badge color="teal">{t('advice.best')}</Badge>}
        <span className={classes.address}>
          {address}
          <CopyButton value={`https://${address}`} label={t('advice.copy', { name: model.name })} small />
        </span>
      </Table.Th>
      <Table.Td>
        <Badge color={fitColors[advice.fit]} variant="light">
          {t(`advice.fits.${advice.fit}`)}
        </Badge>
      </Table.Td>
      <Table.Td className={`lk-num ${classes.number}`}>{bytes(advice.memoryBytes)}</Table.Td>
      <Table.Td className={`lk-num ${classes.number}`}>
        {advice.speed
          ? t('advice.tokens', { from: rounded(advice.speed.from), to: rounded(advice.speed.to) })
          : '–'}
      </Table.Td>
      <Table.Td className={`lk-num ${classes.number}`}>{count(model.context)}</Table.Td>
      <Table.Td>{model.licence}</Table.Td>
      <Table.Td className={`lk-num ${classes.files}`}>
        {model.gguf.map(({ quantization, gigabytes }) => (
          <span key={quantization}>
            {quantization} {bytes(gigabytes * 1e9)}
          </span>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}

const rounded = (speed: number): string =>
  count(speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed));
