/** Results of a document: fields, tables, marks, the answer itself, and the request as code. */
import { ActionIcon, Alert, Tabs, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { hasCode } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { maxPages } from '../../format/pages.ts';
import { t } from '../../strings/t.ts';
import { ChecksView } from './checks-view.tsx';
import { toCorrected } from './corrections/corrections.ts';
import type { CorrectionsState } from './corrections/use-corrections.ts';
import classes from './document-results.module.css';
import { tabsOf } from './document-tabs.ts';
import { toGroups } from './field-groups.ts';
import { FieldsView } from './fields-view.tsx';
import { PassagesView } from './passages-view.tsx';
import { Redaction } from './redaction/redaction.tsx';
import { RisksView } from './risks-view.tsx';
import { DocumentSaveMenu } from './save-document.tsx';
import { TablesView } from './tables-view.tsx';
import { TextView } from './text-view.tsx';
import type { DocumentRun } from './use-document-run.ts';

interface DocumentResultsProps {
  source: SourceFile;
  run: DocumentRun;
  request: DocumentsRequest;
  correcting: CorrectionsState;
  onRetry: () => void;
}

export function DocumentResults({ source, run, request, correcting, onRetry }: DocumentResultsProps) {
  const { result, error } = run;
  return (
    <div className={classes.results}>
      {error !== null && (
        <div className={classes.message}>
          <ProblemNote error={inWordsOfPage(error, request)} onRetry={onRetry} />
        </div>
      )}
      {run.running && <Empty title={t('documents.parsing')} text={t('documents.parsing_note')} />}
      {run.cancelled && <Empty title={t('documents.cancelled')} text={t('documents.cancelled_note')} />}
      {result && <ResultTabs source={source} read={result} request={request} correcting={correcting} />}
      {!result && !run.running && error === null && <CodeOnly source={source} request={request} />}
    </div>
  );
}

/** The server names a field of the request; the person has one on the page. */
const inWordsOfPage = (error: unknown, { pages }: DocumentsRequest): unknown =>
  hasCode(error, 'invalid_page_range') && !pages
    ? new Error(t('documents.more_pages', { most: maxPages }))
    : error;

interface ResultTabsProps {
  source: SourceFile;
  /** As the server read it. */
  read: DocumentsResult;
  request: DocumentsRequest;
  correcting: CorrectionsState;
}

function ResultTabs({ source, read, request, correcting }: ResultTabsProps) {
  const { corrections, correct, undo } = correcting;
  useHotkeys([['mod+Z', () => undo?.()]]);
  const result = toCorrected(read, corrections);
  return (
    <Tabs defaultValue={firstTab(read)} className={classes.tabs} keepMounted={false}>
      <div className={classes.head}>
        <Tabs.List className={classes.list}>
          {tabsOf(result).map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tooltip label={t('documents.undo')}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('documents.undo')}
            disabled={!undo}
            onClick={undo}
          >
            <IconArrowBackUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Redaction source={source} result={result} request={request} />
        <DocumentSaveMenu source={source} request={request} read={read} corrections={corrections} />
      </div>
      <div className={classes.body}>
        <Warnings warnings={result.warnings} />
        <Tabs.Panel value="fields">
          <FieldsView source={source} read={read} result={result} correcting={correcting} />
        </Tabs.Panel>
        <Tabs.Panel value="tables">
          <TablesView result={result} fileName={source.name} onCorrect={correct} />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <ChecksView result={result} />
        </Tabs.Panel>
        <Tabs.Panel value="risks">
          <RisksView risks={result.risks ?? []} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <TextView source={source} request={request} format="text" />
        </Tabs.Panel>
        <Tabs.Panel value="markdown">
          <TextView source={source} request={request} format="markdown" />
        </Tabs.Panel>
        <Tabs.Panel value="chunks">
          <PassagesView source={source} request={request} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonView value={result} label={t('documents.json')} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <RequestCode source={source} request={request} />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}

/** Spreadsheets and their like hold tables alone. */
const firstTab = (read: DocumentsResult): 'fields' | 'tables' =>
  toGroups(read).length === 0 && read.tables.length > 0 ? 'tables' : 'fields';

function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" mb={12} icon={<IconAlertTriangle size={18} aria-hidden />} role="status">
      <ul className={classes.warnings}>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** A run that was cancelled can still be taken away as code. */
function CodeOnly({ source, request }: { source: SourceFile; request: DocumentsRequest }) {
  return (
    <div className={classes.body}>
      <RequestCode source={source} request={request} />
    </div>
  );
}

function RequestCode({ source, request }: { source: SourceFile; request: DocumentsRequest }) {
  const baseUrl = useRead('GET /console/state').data?.base_url ?? '';
  const { file: _, ...body } = request;
  return (
    <SnippetsView
      request={{ baseUrl, path: '/documents/parse', body, file: { field: 'file', name: source.name } }}
    />
  );
}
