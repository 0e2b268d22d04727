/** Tables as tables; a cell lights its box. Cells are walked with the arrow keys, so that a table is one stop for Tab. */
import { Button } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import type { DocumentsResult } from '../../../../server/api/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { download, siblingName } from '../../export/download.ts';
import { t } from '../../strings/t.ts';
import { tableCsv } from './document-exports.ts';
import { markId } from './marks.ts';
import { type GridCell, toGrid } from './table-grid.ts';
import classes from './tables-view.module.css';

type Table = DocumentsResult['tables'][number];

export function TablesView({ result, fileName }: { result: DocumentsResult; fileName: string }) {
  if (result.tables.length === 0) return <Empty title={t('documents.no_tables')} />;
  return result.tables.map((table, index) => (
    <section
      // biome-ignore lint/suspicious/noArrayIndexKey: tables have no identity but their place
      key={index}
      className={classes.section}
      aria-label={t('documents.table_name', { number: index + 1 })}
    >
      <div className={classes.head} data-mark={markId.table(index)} data-page={table.page}>
        <h3 className={classes.title}>{t('documents.table_name', { number: index + 1 })}</h3>
        <span className={classes.note}>{t('documents.on_page', { page: table.page })}</span>
        <Confidence value={table.confidence} />
        <Button
          variant="subtle"
          size="compact-xs"
          ml="auto"
          onClick={() =>
            download(siblingName(fileName, `table-${index + 1}.csv`), tableCsv(table), 'text/csv')
          }
        >
          {t('documents.table_csv')}
        </Button>
      </div>
      <Grid table={table} index={index} />
    </section>
  ));
}

function Grid({ table, index }: { table: Table; index: number }) {
  const rows = toGrid(table);
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid pattern on a real table
        role="grid"
        aria-label={t('documents.table_name', { number: index + 1 })}
        onKeyDown={walk}
      >
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={row}>
              {cells.map((cell) => (
                <Cell key={`${cell.row}:${cell.col}`} cell={cell} table={index} page={table.page} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell, table, page }: { cell: GridCell; table: number; page: number }) {
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid pattern on a real table
      role="gridcell"
      rowSpan={cell.rowSpan}
      colSpan={cell.colSpan}
      tabIndex={cell.row === 0 && cell.col === 0 ? 0 : -1}
      data-mark={markId.cell(table, cell.row, cell.col)}
      data-page={page}
    >
      {cell.text}
    </td>
  );
}

const steps: Record<string, [rows: number, cols: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function walk(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLTableCellElement ? event.target : null;
  const row = cell?.parentElement;
  if (!step || !cell || !(row instanceof HTMLTableRowElement)) return;
  const next = event.currentTarget.rows[row.rowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
