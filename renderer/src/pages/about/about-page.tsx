/** This Lokal, and another version in its place from a file, without a network. */
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type {
  ProgramState,
  ProgramUpdateCheck,
} from '../../../../server/api/console/installation/program.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { FactList, type ShownFact } from '../../components/data/fact-list.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { toMinute } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import classes from './about-page.module.css';

export function AboutPage() {
  /** Time of the outcome that was known when the restart was asked for; undefined: none was. */
  const [asked, setAsked] = useState<number | null | undefined>(undefined);
  const program = useRead('GET /console/program', asked === undefined ? {} : { refetchInterval: 2_000 });
  const { data_folder = '' } = useRead('GET /console/state').data ?? {};
  const last = program.data?.last ?? null;
  const waiting = asked !== undefined && (last?.time_ms ?? null) === asked;
  return (
    <Page title={t('about.title')} lead={t('about.lead')}>
      {!waiting && <ProblemNote error={program.error} onRetry={() => void program.refetch()} />}
      {program.data && (
        <>
          <Facts program={program.data} dataFolder={data_folder} />
          <Panel title={t('about.update')} note={t('about.update_note')}>
            {waiting ? (
              <Alert icon={<IconInfoCircle size={18} aria-hidden />} role="status">
                {t('about.restarting')}
              </Alert>
            ) : (
              <>
                {last && <Outcome last={last} version={program.data.version} />}
                {program.data.hindrance === null ? (
                  <Update program={program.data} onAsked={() => setAsked(last?.time_ms ?? null)} />
                ) : (
                  <Text size="sm">{program.data.hindrance}</Text>
                )}
              </>
            )}
          </Panel>
        </>
      )}
    </Page>
  );
}

function Facts({ program, dataFolder }: { program: ProgramState; dataFolder: string }) {
  const folders = [
    [t('about.program_folder'), program.folder],
    [t('about.data_folder'), dataFolder],
  ] as const;
  const facts: ShownFact[] = [
    { name: t('about.version'), value: program.version },
    ...folders.map(([name, folder]) => ({
      name,
      className: 'lk-mono',
      value: (
        <>
          {folder}
          <CopyButton value={folder} label={t('about.copy', { name })} small />
        </>
      ),
    })),
  ];
  return (
    <Panel title={t('about.this')}>
      <FactList facts={facts} />
      <Text size="sm" mt="sm">
        {t('about.licence')} <Link to="/licences">{t('settings.licences_link')}</Link>
      </Text>
    </Panel>
  );
}

function Outcome({ last, version }: { last: NonNullable<ProgramState['last']>; version: string }) {
  const time = toMinute(last.time_ms / 1000);
  return (
    <Alert
      mb="sm"
      color={last.problem === null ? 'teal' : 'red'}
      icon={
        last.problem === null ? (
          <IconCircleCheck size={18} aria-hidden />
        ) : (
          <IconInfoCircle size={18} aria-hidden />
        )
      }
    >
      {last.problem === null ? t('about.replaced', { time, version }) : `${time}: ${last.problem}`}
    </Alert>
  );
}

function Update({ program, onAsked }: { program: ProgramState; onAsked: () => void }) {
  const [path, setPath] = useState('');
  const check = useChange('POST /console/program/check');
  const update = useChange('POST /console/program/update');
  const undo = useChange('POST /console/program/undo');
  const restart = { onSuccess: onAsked };
  const body = { path: path.trim() };
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate({ body });
        }}
      >
        <TextInput
          label={t('about.path')}
          placeholder={t('about.path_hint')}
          spellCheck={false}
          value={path}
          onChange={(event) => {
            setPath(event.currentTarget.value);
            check.reset();
          }}
        />
        <Button type="submit" variant="default" disabled={!body.path} loading={check.isPending}>
          {t('about.check')}
        </Button>
      </form>
      <ProblemNote error={check.error ?? update.error ?? undo.error} />
      {check.data && (
        <>
          <Changes found={check.data} />
          <Button mt="sm" loading={update.isPending} onClick={() => update.mutate({ body }, restart)}>
            {t('about.install', { version: check.data.to })}
          </Button>
        </>
      )}
      {program.previous !== null && (
        <Group mt="lg" gap={10}>
          <Text size="sm">{t('about.previous', { version: program.previous })}</Text>
          <Button
            variant="default"
            size="compact-sm"
            loading={undo.isPending}
            onClick={() => undo.mutate({}, restart)}
          >
            {t('about.undo', { version: program.previous })}
          </Button>
        </Group>
      )}
    </>
  );
}

function Changes({ found }: { found: ProgramUpdateCheck }) {
  const { from, to, signer, changes, packages, packs, migrations } = found;
  const lists = [
    [t('about.changes'), changes],
    [t('about.packs'), toLines(packs)],
    [t('about.packages'), toLines(packages)],
    [t('about.database'), migrations],
  ] as const;
  return (
    <section className={classes.found} aria-label={t('about.found')}>
      <Text fw={600}>{t('about.from_to', { from, to, signer })}</Text>
      {lists.map(
        ([title, lines]) =>
          lines.length > 0 && (
            <details key={title} open={lines.length <= 12}>
              <summary>{`${title} (${lines.length})`}</summary>
              <ul>
                {lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </details>
          ),
      )}
    </section>
  );
}

const toLines = ({ added, removed, changed }: ProgramUpdateCheck['packs']): string[] => [
  ...changed,
  ...added.map((each) => `+ ${each}`),
  ...removed.map((each) => `− ${each}`),
];
