/** Tables as tables; a cell lights its box. Cells are walked with the arrow keys, so that a table is one stop for Tab. */
import { Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { download, downloadBlob, siblingName } from '../../export/download.ts';
import { toWorkbook } from '../../export/workbook.ts';
import { t } from '../../strings/t.ts';
import { cellPlace } from './corrections/corrections.ts';
import { Editor } from './corrections/editable.tsx';
import { tableCsv, tableSheet } from './document-exports.ts';
import { markId } from './marks.ts';
import { type GridCell, toGrid } from './table-grid.ts';
import classes from './tables-view.module.css';

type Table = DocumentsResult['tables'][number];

interface TablesViewProps {
  result: DocumentsResult;
  fileName: string;
  onCorrect: (place: string, text: string) => void;
}

export function TablesView({ result, fileName, onCorrect }: TablesViewProps) {
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
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() =>
            void toWorkbook([tableSheet(table, index)]).then(
              (blob) => downloadBlob(siblingName(fileName, `table-${index + 1}.xlsx`), blob),
              notifyProblem,
            )
          }
        >
          {t('documents.table_xlsx')}
        </Button>
      </div>
      <Grid table={table} index={index} onCorrect={onCorrect} />
    </section>
  ));
}

interface GridProps {
  table: Table;
  index: number;
  onCorrect: TablesViewProps['onCorrect'];
}

function Grid({ table, index, onCorrect }: GridProps) {
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
                <Cell
                  key={`${cell.row}:${cell.col}`}
                  cell={cell}
                  table={index}
                  page={table.page}
                  onText={(text) => onCorrect(cellPlace(index, cell.row, cell.col), text)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  cell: GridCell;
  table: number;
  page: number;
  onText: (text: string) => void;
}

/** Enter or a double click edits the cell. */
function Cell({ cell, table, page, onText }: CellProps) {
  const [editing, setEditing] = useState(false);
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid pattern on a real table
      role="gridcell"
      rowSpan={cell.rowSpan}
      colSpan={cell.colSpan}
      tabIndex={cell.row === 0 && cell.col === 0 ? 0 : -1}
      data-mark={markId.cell(table, cell.row, cell.col)}
      data-page={page}
      onDoubleClick={() => setEditing(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !editing) setEditing(true);
      }}
    >
      {editing ? (
        <Editor
          label={t('documents.cell_name', { row: cell.row + 1, column: cell.col + 1 })}
          text={cell.text}
          onText={onText}
          onDone={() => setEditing(false)}
        />
      ) : (
        cell.text
      )}
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
