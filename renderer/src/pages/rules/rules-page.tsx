/** The Sigma rules by which logs are judged: ours and imported ones, each on or off. */
import { Button, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import type { Rule } from '../../../../server/api/console/rules.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { notifyDone, notifyProblem } from '../../components/feedback/notify.ts';
import { notifyUndo } from '../../components/feedback/notify-undo.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { t, tn } from '../../strings/t.ts';
import { RuleImportPanel } from './import-panel.tsx';
import { filterRules, noRuleFilter, type RuleFilter, shownKinds } from './rule-filter.ts';
import { RuleTable } from './rule-table.tsx';
import { listKey, useRuleSwitch } from './use-rules.ts';

export function RulesPage() {
  const list = useRead(listKey);
  const [clearing, setClearing] = useState(false);
  const rules = list.data?.data;
  const imported = rules?.some(({ origin }) => origin === 'imported') ?? false;
  return (
    <Page
      title={t('rules.title')}
      lead={t('rules.lead')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            disabled={!imported}
            onClick={() => setClearing(true)}
          >
            {t('rules.clear')}
          </Button>
          <Button variant="default" component={Link} to="/threats">
            {t('rules.back')}
          </Button>
        </>
      }
    >
      <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loader size="sm" role="img" aria-label={t('shell.loading')} />}
      {rules && (
        <>
          <RuleImportPanel />
          <RulesPanel rules={rules} />
        </>
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </Page>
  );
}

/** Rows drawn at a time; thousands would make the page slow, and nobody reads them. */
const shownRows = 200;

function RulesPanel({ rules }: { rules: Rule[] }) {
  const [filter, setFilter] = useState(noRuleFilter);
  const fitting = filterRules(rules, useDeferredValue(filter));
  const setEnabled = useRuleSwitch();
  return (
    <Panel
      flush
      title={t('rules.all')}
      note={tn('rules.count', fitting.length)}
      actions={<Filters filter={filter} onFilter={setFilter} />}
    >
      {fitting.length === 0 && <Empty title={t('rules.none_match')} />}
      {fitting.length > 0 && <RuleTable rules={fitting.slice(0, shownRows)} onSwitch={setEnabled} />}
      {fitting.length > shownRows && <Empty title={t('rules.more', { count: fitting.length - shownRows })} />}
    </Panel>
  );
}

function Filters({ filter, onFilter }: { filter: RuleFilter; onFilter: (filter: RuleFilter) => void }) {
  return (
    <>
      <TextInput
        w={200}
        aria-label={t('rules.filter')}
        placeholder={t('rules.filter')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t('rules.kind')}
        data={shownKinds.map((value) => ({ value, label: t(`rules.kinds.${value}`) }))}
        value={filter.kind}
        onChange={(value) => onFilter({ ...filter, kind: value as RuleFilter['kind'] })}
      />
    </>
  );
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const clear = useChange('DELETE /console/rules', [listKey]);
  const restore = useChange('POST /console/rules/restore', [listKey]);
  const confirm = () =>
    clear.mutate(
      {},
      {
        onSuccess: () => {
          notifyUndo(t('rules.cleared'), () =>
            restore.mutate({}, { onSuccess: () => notifyDone(t('rules.restored')), onError: notifyProblem }),
          );
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t('rules.clear_title')}
      text={t('rules.clear_note')}
      confirm={t('rules.clear')}
      busy={clear.isPending}
      error={clear.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
