/** A CSV at a time: choose the column, watch it go, take the scores away. */
import { Badge, Button, Checkbox, Progress, Select, Table } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Panel } from '../../components/frame/panel.tsx';
import { FileDrop } from '../../components/input/file-drop.tsx';
import { parseCsv } from '../../export/csv.ts';
import { download, siblingName } from '../../export/download.ts';
import { count, score } from '../../format/numbers.ts';
import { t, tn } from '../../strings/t.ts';
import { type BatchRow, batchCsv, guessColumn } from './batch.ts';
import classes from './batch-view.module.css';
import { categories } from './categories.ts';
import type { ModerationBatch } from './use-batch.ts';

/** A file of texts, and where in it they are. */
export interface Sheet {
  name: string;
  rows: string[][];
  column: number;
  hasHeader: boolean;
}

const shownRows = 200;

interface ModerationBatchViewProps {
  sheet: Sheet | null;
  onSheet: (sheet: Sheet | null) => void;
  batch: ModerationBatch;
}

export function ModerationBatchView({ sheet, onSheet, batch }: ModerationBatchViewProps) {
  const texts = useMemo(() => (sheet ? toTexts(sheet) : []), [sheet]);

  async function openFile(file: File) {
    const rows = parseCsv(await file.text());
    batch.reset();
    onSheet({ name: file.name, rows, column: guessColumn(rows), hasHeader: rows.length > 1 });
  }

  if (!sheet) {
    return (
      <FileDrop
        accept=".csv,.tsv,.txt"
        choose={t('moderation.choose_csv')}
        hint={t('moderation.csv_hint')}
        onFile={(file) => void openFile(file)}
        icon={<IconFileSpreadsheet size={34} stroke={1.3} aria-hidden />}
      />
    );
  }
  return (
    <Panel title={sheet.name} note={tn('moderation.rows', texts.length)} flush>
      <div className={classes.bar}>
        <Select
          label={t('moderation.column')}
          data={(sheet.rows[0] ?? []).map((cell, index) => ({
            value: String(index),
            label:
              sheet.hasHeader && cell.trim() ? cell : t('moderation.column_number', { number: index + 1 }),
          }))}
          value={String(sheet.column)}
          allowDeselect={false}
          disabled={batch.running}
          onChange={(value) => onSheet({ ...sheet, column: Number(value) })}
        />
        <Checkbox
          label={t('moderation.header_row')}
          checked={sheet.hasHeader}
          disabled={batch.running}
          onChange={(event) => onSheet({ ...sheet, hasHeader: event.currentTarget.checked })}
        />
        {batch.running ? (
          <Button variant="default" onClick={batch.cancel}>
            {t('dialog.cancel')}
          </Button>
        ) : (
          <Button onClick={() => void batch.start(texts)} disabled={texts.length === 0}>
            {t('moderation.run_batch')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          disabled={batch.done === 0 || batch.running}
          onClick={() =>
            download(
              siblingName(sheet.name, 'moderation.csv'),
              batchCsv(batch.rows.filter(Boolean)),
              'text/csv',
            )
          }
        >
          {t('moderation.save_csv')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            batch.reset();
            onSheet(null);
          }}
        >
          {t('moderation.other_csv')}
        </Button>
      </div>
      {(batch.running || batch.done > 0) && (
        <div className={classes.progress} role="status">
          <Progress
            size="sm"
            value={(batch.done / texts.length) * 100}
            aria-label={t('moderation.progress_label')}
          />
          <span className="lk-num">
            {t('moderation.progress', {
              done: batch.done,
              total: texts.length,
              flagged: batch.rows.filter((row) => row?.outcome?.flagged).length,
            })}
          </span>
        </div>
      )}
      <BatchTable texts={texts} rows={batch.rows} />
    </Panel>
  );
}

function BatchTable({ texts, rows }: { texts: string[]; rows: BatchRow[] }) {
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('moderation.text')}</Table.Th>
            <Table.Th>{t('moderation.verdict')}</Table.Th>
            <Table.Th>{t('moderation.highest')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {texts.slice(0, shownRows).map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the file
            <Row key={index} text={text} row={rows[index]} />
          ))}
        </Table.Tbody>
      </Table>
      {texts.length > shownRows && (
        <p className={classes.more}>
          {t('moderation.more_rows', { count: count(texts.length - shownRows) })}
        </p>
      )}
    </>
  );
}

function Row({ text, row }: { text: string; row: BatchRow | undefined }) {
  const top = row?.outcome ? highest(row.outcome.category_scores) : null;
  return (
    <Table.Tr>
      <Table.Td className={classes.text}>{text}</Table.Td>
      <Table.Td>
        {row?.outcome && (
          <Badge color={row.outcome.flagged ? 'red' : 'teal'}>
            {t(row.outcome.flagged ? 'moderation.flagged' : 'moderation.not_flagged')}
          </Badge>
        )}
        {row?.error && <Badge color="gray">{row.error}</Badge>}
      </Table.Td>
      <Table.Td className={classes.top}>
        {top && `${t(`moderation.names.${top.name}`)} ${score(top.value)}`}
      </Table.Td>
    </Table.Tr>
  );
}

function highest(scores: Partial<Record<(typeof categories)[number], number>>) {
  const ranked = categories.map((name) => ({ name, value: scores[name] ?? 0 }));
  return ranked.reduce((best, next) => (next.value > best.value ? next : best));
}

const toTexts = ({ rows, column, hasHeader }: Sheet): string[] =>
  rows
    .slice(hasHeader ? 1 : 0)
    .map((row) => row[column] ?? '')
    .filter((text) => text.trim() !== '');
