/** Many documents: their queue with progress, pause and retry, and what was read of them as one table. */
import { Badge, Button, Menu, Progress, Table } from '@mantine/core';
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { Panel } from '../../../components/frame/panel.tsx';
import { ScrollRegion } from '../../../components/frame/scroll-region.tsx';
import { toCsv } from '../../../export/csv.ts';
import { download, downloadBlob } from '../../../export/download.ts';
import { toWorkbook } from '../../../export/workbook.ts';
import { percent } from '../../../format/numbers.ts';
import { t, tn } from '../../../strings/t.ts';
import { toLabel, toText } from '../field-groups.ts';
import { TemplateSelect } from '../templates/template-select.tsx';
import { type BatchItem, countOf } from './batch.ts';
import {
  batchJson,
  type Cell,
  isApprovable,
  isUnsure,
  type KindGrid,
  needsReview,
  toBatchGrid,
  toKindGrids,
} from './batch-grid.ts';
import classes from './batch-view.module.css';
import type { BatchControl } from './use-batch.ts';

interface BatchViewProps {
  control: BatchControl;
  /** Opens one document on its own. */
  onOpen: (item: BatchItem) => void;
}

export function DocumentBatchView({ control, onOpen }: BatchViewProps) {
  const { batch, retry, approve } = control;
  const answered = batch.items.filter((item) => item.state === 'done' || item.state === 'failed');
  return (
    <div className={classes.view}>
      <Controls control={control} />
      <Panel title={t('documents.batch.queue')} flush>
        <ScrollRegion className={classes.queue} label={t('documents.batch.queue')}>
          <ul className={classes.items}>
            {batch.items.map((item) => (
              <Item key={item.id} item={item} onOpen={onOpen} onRetry={() => retry(item.id)} />
            ))}
          </ul>
        </ScrollRegion>
      </Panel>
      {answered.length > 0 && <Results items={answered} onApprove={approve} onOpen={onOpen} />}
    </div>
  );
}

function Controls({ control }: { control: BatchControl }) {
  const { batch, pause, retry, clear, setTemplate, readAgain } = control;
  const total = batch.items.length;
  const finished = countOf(batch, 'done') + countOf(batch, 'failed');
  const failed = countOf(batch, 'failed');
  return (
    <div className={classes.bar}>
      <TemplateSelect value={batch.template} onChange={setTemplate} />
      {finished > 0 && (
        <Button variant="default" onClick={readAgain}>
          {t('documents.batch.again')}
        </Button>
      )}
      {finished < total && (
        <Button
          variant="default"
          leftSection={
            batch.paused ? (
              <IconPlayerPlay size={14} aria-hidden />
            ) : (
              <IconPlayerPause size={14} aria-hidden />
            )
          }
          onClick={() => pause(!batch.paused)}
        >
          {t(batch.paused ? 'documents.batch.resume' : 'documents.batch.pause')}
        </Button>
      )}
      {failed > 0 && (
        <Button variant="default" leftSection={<IconReload size={14} aria-hidden />} onClick={() => retry()}>
          {t('documents.batch.retry_all', { count: failed })}
        </Button>
      )}
      <div className={classes.progress} role="status">
        <Progress
          value={(finished / Math.max(1, total)) * 100}
          aria-label={t('documents.batch.progress_label')}
        />
        <span className="lk-num">{t('documents.batch.progress', { done: finished, total })}</span>
      </div>
      <Button variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={clear}>
        {t('documents.batch.close')}
      </Button>
    </div>
  );
}

interface ItemProps {
  item: BatchItem;
  onOpen: (item: BatchItem) => void;
  onRetry: () => void;
}

const colors = { waiting: 'gray', reading: 'blue', done: 'teal', failed: 'red' } as const;

function Item({ item, onOpen, onRetry }: ItemProps) {
  const { progress } = item;
  return (
    <li className={classes.item}>
      <Badge color={colors[item.state]}>{t(`documents.batch.states.${item.state}`)}</Badge>
      <span className={classes.name} title={item.name}>
        {item.name}
      </span>
      <span className={classes.note}>
        {item.problem ??
          (item.state === 'reading' && progress
            ? t('documents.progress', { page: progress.page, pages: progress.pages })
            : item.result && toLabel(item.result.type))}
      </span>
      {item.state === 'failed' && (
        <Button size="compact-xs" variant="subtle" onClick={onRetry}>
          {t('documents.batch.retry')}
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={() => onOpen(item)}>
        {t('documents.batch.open')}
      </Button>
    </li>
  );
}

interface ResultsProps {
  items: BatchItem[];
  onApprove: (id: number, approved: boolean) => void;
  onOpen: (item: BatchItem) => void;
}

/** A table a kind, the least sure first; approving leads the focus to the next that wants a look. */
function Results({ items, onApprove, onOpen }: ResultsProps) {
  const left = items.filter(needsReview).length;
  const view = useRef<HTMLDivElement>(null);
  const approve = (id: number, approved: boolean) => {
    onApprove(id, approved);
    if (!approved) return;
    const waiting = [...(view.current?.querySelectorAll<HTMLElement>('[data-review]') ?? [])];
    const at = waiting.findIndex((each) => each.dataset.review === String(id));
    (waiting[at + 1] ?? waiting[0])?.focus();
  };
  return (
    <Panel
      title={t('documents.batch.results')}
      note={left > 0 ? tn('documents.batch.review', left) : t('documents.batch.reviewed')}
      actions={<SaveMenu items={items} />}
      flush
    >
      <div ref={view}>
        {toKindGrids(items).map((grid) => (
          <KindTable key={grid.kind ?? ''} grid={grid} onApprove={approve} onOpen={onOpen} />
        ))}
      </div>
    </Panel>
  );
}

function KindTable({ grid, onApprove, onOpen }: { grid: KindGrid } & Omit<ResultsProps, 'items'>) {
  const { kind, header, rows, items } = grid;
  const title = kind === null ? t('documents.batch.unread') : toLabel(kind);
  return (
    <section>
      <h3 className={classes.kind}>
        {title} <span className={classes.note}>{items.length}</span>
      </h3>
      <ScrollRegion className={classes.grid} label={title}>
        <Table stickyHeader withColumnBorders fz="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('documents.batch.look')}</Table.Th>
              {header.map((name) => (
                <Table.Th key={name}>{toLabel(name)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              <Table.Tr key={items[index]!.id}>
                <Table.Td>
                  <Review item={items[index]!} onApprove={onApprove} onOpen={onOpen} />
                </Table.Td>
                {header.map((name, column) => {
                  const shown = toCellText(items[index]!, name, row[column] ?? null);
                  return (
                    <Table.Td
                      key={name}
                      title={shown}
                      data-number={typeof row[column] === 'number' || undefined}
                      data-unsure={isUnsure(items[index]!, name) || undefined}
                    >
                      {shown}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </section>
  );
}

/** A field as it is shown on its own page. */
function toCellText({ result }: BatchItem, name: string, cell: Cell): string {
  if (name === 'least_confidence') return toShare(cell);
  return toText(cell, result?.fields[name]?.currency, name);
}

const toShare = (confidence: unknown): string =>
  typeof confidence === 'number' ? percent(confidence) : t('documents.batch.no_fields');

function Review({ item, onApprove, onOpen }: { item: BatchItem } & Omit<ResultsProps, 'items'>) {
  const { id, name, approved } = item;
  return (
    <div className={classes.review}>
      {isApprovable(item) && (
        <Button
          size="compact-xs"
          variant={needsReview(item) ? 'filled' : 'default'}
          aria-label={t(approved ? 'documents.batch.unapprove_name' : 'documents.batch.approve_name', {
            name,
          })}
          {...(needsReview(item) && { 'data-review': id })}
          onClick={() => onApprove(id, !approved)}
        >
          {t(approved ? 'documents.batch.approved' : 'documents.batch.approve')}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={t('documents.batch.open_name', { name })}
        onClick={() => onOpen(item)}
      >
        {t('documents.batch.open')}
      </Button>
    </div>
  );
}

function SaveMenu({ items }: { items: BatchItem[] }) {
  const sheet = () => {
    const { header, rows } = toBatchGrid(items);
    return [header, ...rows];
  };
  const kindSheets = () =>
    toKindGrids(items).map(({ kind, header, rows }) => ({
      name: kind === null ? t('documents.batch.unread') : toLabel(kind),
      rows: [header, ...rows],
    }));
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('documents.save')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download('documents.csv', toCsv(sheet()), 'text/csv')}>
          {t('documents.batch.save_csv')}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            void toWorkbook(kindSheets()).then((blob) => downloadBlob('documents.xlsx', blob), notifyProblem)
          }
        >
          {t('documents.batch.save_xlsx')}
        </Menu.Item>
        <Menu.Item onClick={() => download('documents.json', batchJson(items))}>
          {t('documents.batch.save_json')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
