/** A document's answer for a person: fields, line items and tables, no line wider than the terminal. Pure. */
import type { DocumentField, DocumentsResult } from '../api/services/documents.ts';
import { fittedTable, wrap } from './fitted-table.ts';

type Item = Record<
  string,
  { value: string | number | boolean | null; currency?: string | null; label?: string }
>;

const itemsOf = ({ value }: DocumentField): Item[] | null => (Array.isArray(value) ? value : null);
const toText = (value: Item[string]['value'] | undefined): string => `${value ?? ''}`;
const toTitle = (name: string): string => name.replaceAll('_', ' ').toUpperCase();

export function documentLines(result: DocumentsResult, width: number): string[] {
  const fields = Object.entries(result.fields);
  // The confidence is that of the fields: without any it says nothing.
  const sure = fields.length > 0 ? `, confidence ${result.confidence.toFixed(2)}` : '';
  const head = `${result.type}, ${result.usage.pages} page(s)${sure}`;
  const rows = fields.flatMap(([name, field]) => toRows(name, field));
  return [
    ...wrap(head, width),
    ...result.warnings.flatMap((warning) => wrap(`Warning: ${warning}`, width)),
    ...(rows.length > 0 ? ['', ...fittedTable([['FIELD', 'VALUE', '', 'CONFIDENCE'], ...rows], width)] : []),
    ...fields.flatMap(([name, field]) => itemLines(name, field, width)),
    ...markLines(result, width),
    ...result.tables.flatMap(({ page, rows: cells }, index) => [
      '',
      `Table ${index + 1}, page ${page}`,
      ...fittedTable(cells, width),
    ]),
  ];
}

/** Risks, boxes to tick by their question, and places to sign. */
function markLines({ risks = [], checkboxes, signatures }: DocumentsResult, width: number): string[] {
  const part = (title: string, rows: string[][]): string[] =>
    rows.length > 0 ? ['', title, ...fittedTable(rows, width)] : [];
  const groups = Map.groupBy(checkboxes, ({ page, group = '' }) => `${page} ${group}`);
  const boxes = [...groups.values()].flatMap((group) =>
    group.map(({ label, checked }, at) => [
      at === 0 ? (group[0]!.group ?? '') : '',
      checked ? '[x]' : '[ ]',
      label || '(no label)',
    ]),
  );
  return [
    ...part(
      'Risks',
      risks.map(({ kind, detail, page, text }) => [
        kind.replaceAll('_', ' '),
        page === null ? '' : `page ${page}`,
        text ? `${detail}: “${text}”` : detail,
      ]),
    ),
    ...part('Checkboxes', boxes),
    ...part(
      'Signatures',
      signatures.map(({ label = '', page, signed, kind = 'ink', signer }) => [
        label,
        `page ${page}`,
        signed === false ? 'not signed' : [`signed (${kind})`, signer].filter(Boolean).join(' by '),
      ]),
    ),
  ];
}

/** Taxes and their like are few and short: a row each. Items with a description have a table of their own. */
const hasTable = (items: Item[]): boolean =>
  items.some((item) => 'description' in item || Object.keys(item).length > 3);

function toRows(name: string, field: DocumentField): string[][] {
  const items = itemsOf(field);
  const confidence = field.confidence.toFixed(2);
  if (!items) return [[name, toText(field.value as Item[string]['value']), field.currency ?? '', confidence]];
  if (hasTable(items)) return [];
  return items.map((item, index) => [index === 0 ? name : '', ...shortItem(item), confidence]);
}

/** `SST 8%: 375.2`, with the currency in a column of its own. */
function shortItem(item: Item): [text: string, currency: string] {
  const cells = Object.entries(item);
  const label = cells.map(([, cell]) => cell.label?.replace(/[\s:：]+$/, '')).find((each) => each);
  const shown = label ? cells.filter(([key]) => key !== 'rate' && key !== 'label' && key !== 'name') : cells;
  const text = shown
    .map(([key, { value }]) => (label ? toText(value) : `${key} ${toText(value)}`))
    .join(', ');
  return [
    label ? `${label}: ${text}` : text,
    cells.map(([, cell]) => cell.currency).find((each) => each) ?? '',
  ];
}

function itemLines(name: string, field: DocumentField, width: number): string[] {
  const items = itemsOf(field);
  if (!items || !hasTable(items)) return [];
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.map((item) => columns.map((column) => toText(item[column]?.value)));
  const head = `${name}, confidence ${field.confidence.toFixed(2)}`;
  return ['', head, ...fittedTable([columns.map(toTitle), ...rows], width)];
}
