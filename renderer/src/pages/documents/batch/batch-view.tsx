/** Many documents: their queue with progress, pause and retry, and what was read of them as one table. */
import { Badge, Button, Menu, Progress, Table } from '@mantine/core';
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconReload, IconX } from '@tabler/icons-react';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { Panel } from '../../../components/frame/panel.tsx';
import { ScrollRegion } from '../../../components/frame/scroll-region.tsx';
import { toCsv } from '../../../export/csv.ts';
import { download, downloadBlob } from '../../../export/download.ts';
import { toWorkbook } from '../../../export/workbook.ts';
import { t } from '../../../strings/t.ts';
import { toLabel } from '../field-groups.ts';
import { TemplateSelect } from '../templates/template-select.tsx';
import { type BatchItem, countOf } from './batch.ts';
import { batchJson, toBatchGrid } from './batch-grid.ts';
import classes from './batch-view.module.css';
import type { BatchControl } from './use-batch.ts';

interface BatchViewProps {
  control: BatchControl;
  /** Opens one document on its own. */
  onOpen: (file: File) => void;
}

export function DocumentBatchView({ control, onOpen }: BatchViewProps) {
  const { batch, retry } = control;
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
      {answered.length > 0 && <Results items={answered} />}
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
  onOpen: (file: File) => void;
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
      <Button size="compact-xs" variant="subtle" onClick={() => onOpen(item.file)}>
        {t('documents.batch.open')}
      </Button>
    </li>
  );
}

function Results({ items }: { items: BatchItem[] }) {
  const { header, rows } = toBatchGrid(items);
  return (
    <Panel title={t('documents.batch.results')} actions={<SaveMenu items={items} />} flush>
      <ScrollRegion className={classes.grid} label={t('documents.batch.results')}>
        <Table stickyHeader withColumnBorders fz="xs">
          <Table.Thead>
            <Table.Tr>
              {header.map((name) => (
                <Table.Th key={name}>{toLabel(name)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              <Table.Tr key={items[index]!.id}>
                {header.map((name, column) => (
                  <Table.Td key={name} data-number={typeof row[column] === 'number' || undefined}>
                    {String(row[column] ?? '')}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Panel>
  );
}

function SaveMenu({ items }: { items: BatchItem[] }) {
  const sheet = () => {
    const { header, rows } = toBatchGrid(items);
    return [header, ...rows];
  };
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
            void toWorkbook([{ name: t('documents.title'), rows: sheet() }]).then(
              (blob) => downloadBlob('documents.xlsx', blob),
              notifyProblem,
            )
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
