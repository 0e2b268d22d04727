/** The button and dialog that hand out a document with chosen places painted over. */
import { ActionIcon, Alert, Button, Checkbox, Loader, Modal } from '@mantine/core';
import { IconEyeOff, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { DocumentsRequest, DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { ProblemNote, toMessage } from '../../../components/feedback/problem-note.tsx';
import type { SourceFile } from '../../../components/source-file.ts';
import { download, siblingName } from '../../../export/download.ts';
import { percent } from '../../../format/numbers.ts';
import { t, tn } from '../../../strings/t.ts';
import { toLabel } from '../field-groups.ts';
import { RedactionPreview } from './preview.tsx';
import classes from './redaction.module.css';
import {
  ruleOf,
  samePlace,
  type Target,
  targetName,
  toKinds,
  toTargets,
  withPersonal,
} from './redaction-plan.ts';
import { type RedactionRecord, redactionHtml, redactionJson } from './redaction-report.ts';
import { type PersonalSearch, usePersonalData } from './use-personal-data.ts';
import type { RedactProgress } from './use-redact-call.ts';
import { type RedactionState, useRedaction } from './use-redaction.ts';

interface RedactionProps {
  source: SourceFile;
  result: DocumentsResult;
  request: DocumentsRequest;
}

export function Redaction({ source, result, request }: RedactionProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEyeOff size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('documents.redact')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t('documents.redact_title')}
        closeButtonProps={{ 'aria-label': t('dialog.close') }}
        size="min(1200px, 94vw)"
      >
        <RedactionForm
          source={source}
          request={request}
          fields={toTargets(result)}
          onClose={() => setOpen(false)}
        />
      </Modal>
    </>
  );
}

interface FormProps {
  source: SourceFile;
  request: DocumentsRequest;
  /** Fields and signatures of the answer. */
  fields: Target[];
  onClose: () => void;
}

function RedactionForm({ source, request, fields, onClose }: FormProps) {
  const search = usePersonalData(source, request);
  const [drawn, setDrawn] = useState<Target[]>([]);
  const [page, setPage] = useState(1);
  const targets = [...withPersonal(fields, search.found), ...drawn];
  /** The person's decisions; of the rest, personal data is chosen. */
  const [decided, setDecided] = useState<ReadonlyMap<string, boolean>>(new Map());
  const chosen = targets.filter(({ id, personal }) => decided.get(id) ?? personal);
  const { state, progress, run, cancel } = useRedaction(source, request);
  const busy = state.phase === 'working';
  const choose = (ids: string[]) => setDecided(new Map(targets.map(({ id }) => [id, ids.includes(id)])));
  const chosenIds = chosen.map(({ id }) => id);
  const set = (ids: readonly string[], on: boolean) =>
    choose([...chosenIds.filter((each) => !ids.includes(each)), ...(on ? ids : [])]);
  const toggle = (id: string) => set(samePlace(targets, id), !chosenIds.includes(id));
  const left = targets.filter(({ id }) => !chosenIds.includes(id));
  const boxes = useRef(0);
  const addBox = (onPage: number, bbox: number[]) => {
    boxes.current += 1;
    const number = boxes.current;
    setDrawn((previous) => [
      ...previous,
      {
        id: `drawn:${number}`,
        label: t('documents.redact_box', { number }),
        page: onPage,
        bbox,
        text: '',
        personal: true,
      },
    ]);
  };
  const removeBox = (id: string) => setDrawn((previous) => previous.filter((each) => each.id !== id));
  return (
    <div className={classes.form}>
      <p className={classes.note}>{t('documents.redact_note')}</p>
      <SearchNote search={search} besides={targets.length - fields.length - drawn.length} />
      <div className={classes.tools}>
        <Button variant="default" disabled={busy} onClick={() => choose(targets.map(({ id }) => id))}>
          {t('documents.redact_all')}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => choose([])}>
          {t('documents.redact_none')}
        </Button>
        <KindBoxes targets={targets} chosenIds={chosenIds} busy={busy} onSet={set} />
      </div>
      <div className={classes.columns}>
        <RedactionPreview
          source={source}
          page={page}
          targets={targets}
          chosen={chosen}
          onPage={setPage}
          onToggle={toggle}
          onBox={addBox}
        />
        <ul className={classes.list} aria-label={t('documents.redact_fields')}>
          {targets.map(({ id, label, text, page: onPage }) => (
            <li key={id} onMouseEnter={() => setPage(onPage)}>
              <Checkbox
                label={targetName({ id, label })}
                disabled={busy}
                checked={chosenIds.includes(id)}
                onChange={() => toggle(id)}
              />
              {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a second way to the box beside it */}
              <span className={classes.text} title={text} onClick={() => !busy && toggle(id)}>
                {text.replaceAll('\n', ' ')}
              </span>
              <span className={classes.note}>
                {t('documents.on_page', { page: onPage })}
                {ruleOf({ id }) === 'drawn' && (
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    disabled={busy}
                    aria-label={t('documents.redact_remove', { box: label })}
                    onClick={() => removeBox(id)}
                  >
                    <IconX size={13} aria-hidden />
                  </ActionIcon>
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.end}>
        <Outcome state={state} progress={progress} />
        <div className={classes.foot}>
          {!search.done && !search.error && (
            <span className={classes.note}>{t('documents.redact_wait')}</span>
          )}
          {state.phase === 'done' && <Button onClick={onClose}>{t('documents.redact_close')}</Button>}
          <Button
            {...(state.phase === 'done' && { variant: 'default' })}
            disabled={chosen.length === 0 || busy || (!search.done && !search.error)}
            onClick={() => void run(chosen, left)}
          >
            {t('documents.redact_run', { count: chosen.length })}
          </Button>
          {busy && (
            <Button variant="default" onClick={cancel}>
              {t('dialog.cancel')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

interface KindBoxesProps {
  targets: readonly Target[];
  chosenIds: readonly string[];
  busy: boolean;
  onSet: (ids: readonly string[], on: boolean) => void;
}

/** All of one kind by one tick. */
function KindBoxes({ targets, chosenIds, busy, onSet }: KindBoxesProps) {
  return (
    <fieldset className={classes.kinds} aria-label={t('documents.redact_kinds')}>
      {toKinds(targets).map(({ key, rule, label, ids }) => {
        const chosen = ids.filter((id) => chosenIds.includes(id)).length;
        const name = label ? targetName({ id: ids[0] ?? '', label }) : t(`documents.redact_rules.${rule}`);
        return (
          <Checkbox
            key={key}
            label={t('documents.redact_kind', { kind: name, count: ids.length })}
            disabled={busy}
            checked={chosen === ids.length}
            indeterminate={chosen > 0 && chosen < ids.length}
            onChange={(event) => onSet(ids, event.currentTarget.checked)}
          />
        );
      })}
    </fieldset>
  );
}

/** Progress of the search for personal data, without which too little would be chosen. */
function SearchNote({
  search: { progress, done, error },
  besides,
}: {
  search: PersonalSearch;
  /** Places found that no field names. */
  besides: number;
}) {
  if (error) {
    return (
      <Alert color="yellow" role="status" title={t('documents.redact_unsearched')}>
        {toMessage(error)}
      </Alert>
    );
  }
  return (
    <div role="status" className={classes.busy}>
      {!done && <Loader size="xs" />}
      {done ? tn('documents.redact_found', besides) : t('documents.redact_searching', toShare(progress))}
    </div>
  );
}

/** Work goes on after the last page was read: while it does, the share is not the whole. */
const toShare = (progress: RedactProgress | null) => ({
  percent: percent(progress ? Math.min(progress.page / Math.max(1, progress.pages), 0.99) : 0),
});

const reportName = ({ source }: RedactionRecord, ending: string): string =>
  siblingName(source.name, `redaction.${ending}`);

interface OutcomeProps {
  state: RedactionState;
  progress: RedactProgress | null;
}

function Outcome({ state, progress }: OutcomeProps) {
  switch (state.phase) {
    case 'choosing':
      return null;
    case 'working':
      return (
        <div role="status" className={classes.busy}>
          <Loader size="xs" />
          {t('documents.redact_working', toShare(progress))}
        </div>
      );
    case 'done':
      return (
        <Alert color="green" role="status">
          {tn('documents.redact_done', state.record.painted.length)}{' '}
          {[...new Set(state.record.painted.map(targetName))].join(', ')}
          {state.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
          <div className={classes.foot}>
            <Button
              variant="default"
              onClick={() =>
                download(reportName(state.record, 'html'), redactionHtml(state.record), 'text/html')
              }
            >
              {t('documents.redact_report')}
            </Button>
            <Button
              variant="default"
              onClick={() => download(reportName(state.record, 'json'), redactionJson(state.record))}
            >
              {t('documents.redact_report_json')}
            </Button>
          </div>
        </Alert>
      );
    case 'readable':
      return (
        <Alert color="red" role="alert" title={t('documents.redact_readable')}>
          {state.check?.readable
            .map(({ label, page }) => `${toLabel(label)} (${t('documents.on_page', { page })})`)
            .join(', ')}
        </Alert>
      );
    case 'failed':
      return <ProblemNote error={state.error} />;
  }
}
