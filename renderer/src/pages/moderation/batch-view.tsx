/** A CSV at a time: choose the column, watch it go, take the scores away. */
import { Button, Checkbox, Progress, Select } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Panel } from '../../components/frame/panel.tsx';
import { FileDrop } from '../../components/input/file-drop.tsx';
import { parseCsv } from '../../export/csv.ts';
import { download, siblingName } from '../../export/download.ts';
import { t, tn } from '../../strings/t.ts';
import { batchCsv, guessColumn, type Sheet, textsOf } from './batch.ts';
import classes from './batch-view.module.css';
import { JudgedRows } from './judged-rows.tsx';
import type { ModerationBatch } from './use-batch.ts';

interface ModerationBatchViewProps {
  sheet: Sheet | null;
  onSheet: (sheet: Sheet | null) => void;
  batch: ModerationBatch;
}

export function ModerationBatchView({ sheet, onSheet, batch }: ModerationBatchViewProps) {
  const texts = useMemo(() => (sheet ? textsOf(sheet).map(({ text }) => text) : []), [sheet]);

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
            download(siblingName(sheet.name, 'moderation.csv'), batchCsv(sheet, batch.rows), 'text/csv')
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
      <JudgedRows texts={texts} rows={batch.rows} />
    </Panel>
  );
}
