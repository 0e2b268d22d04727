/** Figures of an invoice held against each other: sums that do not add up and dates that no calendar has are told, and are less sure. */

import { findDates } from '../../../quantities/dates.ts';
import { findAmounts } from '../../../quantities/numbers.ts';
import type { PageTable } from '../../document.ts';
import { findLabelled, type ValueReader } from '../../fields/labelled.ts';
import type { DocumentText } from '../../fields/reading.ts';
import { cellText } from '../../tables/table.ts';
import type { FieldEntry } from '../../types.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { amountCandidates, partKinds, partsBetween, strongest } from './invoice-amounts.ts';

type Fields = Record<string, FieldEntry>;

/** Rounded parts of many rates may miss by some cents. */
const tolerance = 0.05;
/** Share of its confidence that a field keeps whose figures disagree. */
const doubted = 0.6;

const numberOf = (fields: Fields, name: string): number | null => {
  const value = fields[name]?.value;
  return typeof value === 'number' ? value : null;
};

const near = (a: number, b: number): boolean => Math.abs(a - b) < tolerance;

function doubt(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    const field = fields[name];
    if (field) fields[name] = { ...field, confidence: Math.round(field.confidence * doubted * 100) / 100 };
  }
}

/** Amounts of all rows of items, where each has one that agrees with its quantity and price. */
function itemSum(fields: Fields): number | null {
  const items = fields.line_items?.value;
  if (!Array.isArray(items) || items.length === 0) return null;
  let sum = 0;
  for (const { quantity, unit_price, amount } of items) {
    const [count, price, value] = [quantity, unit_price, amount].map((cell) => cell?.value);
    if (typeof count !== 'number' || typeof price !== 'number' || typeof value !== 'number') return null;
    if (!near(count * price, value)) return null;
    sum += value;
  }
  return sum;
}

/** True if amounts that the pages name lead from a base to the total: parts, what was paid before, or one that has no name. */
function leadsTo(
  total: number,
  base: number,
  { sum, reading }: { sum: number; reading: DocumentText },
): boolean {
  const found = amountCandidates(reading);
  const before = [0, ...strongest(found, 'paid').map(({ value }) => Math.abs(value))];
  if (before.some((paid) => partsBetween(base, total + paid, found) !== null || near(sum, total + paid)))
    return true;
  const named = new Set([
    total,
    base,
    ...partKinds.flatMap((kind) => strongest(found, kind).map(({ value }) => Math.abs(value))),
  ]);
  const others = reading.pieces
    .flatMap(({ text }) => findAmounts(text, reading.decimal))
    .filter(({ percent, value }) => !percent && !named.has(Math.abs(value)));
  return others.some(({ value }) => near(Math.abs(value), Math.abs(total - sum)));
}

/** Rows of items that come neither to the subtotal nor to the total, with what is named between: some may have been missed. */
function checkRows(fields: Fields, reading: DocumentText): string[] {
  const subtotal = numberOf(fields, 'subtotal');
  const sum = itemSum(fields);
  if (subtotal === null || sum === null) return [];
  const found = amountCandidates(reading);
  const ends = [subtotal, numberOf(fields, 'total') ?? subtotal];
  if (ends.some((end) => near(sum, end) || partsBetween(sum, end, found) !== null)) return [];
  doubt(fields, ['line_items']);
  return [
    `The line items do not add up to the subtotal: they come to ${sum.toFixed(2)}, but the subtotal is ${subtotal.toFixed(2)}. Rows may be missing or misread.`,
  ];
}

function checkSums(fields: Fields, reading: DocumentText): string[] {
  const total = numberOf(fields, 'total');
  const subtotal = numberOf(fields, 'subtotal');
  const items = itemSum(fields);
  const base = subtotal ?? items;
  if (total === null || base === null) return [];
  const parts = partKinds.filter((kind) => numberOf(fields, kind));
  const signed = parts.map((kind) => {
    const value = numberOf(fields, kind)!;
    return kind === 'discount' ? -Math.abs(value) : value;
  });
  const sum = signed.reduce((all, value) => all + value, base);
  if (near(sum, total) || leadsTo(total, base, { sum, reading })) return [];
  const named = signed.map(
    (value, at) =>
      `${value < 0 ? '-' : '+'} ${parts[at]!.replaceAll('_', ' ')} ${Math.abs(value).toFixed(2)}`,
  );
  doubt(fields, ['total', 'subtotal', ...parts]);
  const first = `${subtotal === null ? 'line items' : 'subtotal'} ${base.toFixed(2)}`;
  const left = [first, ...named].join(' ');
  return [
    `The amounts do not add up: ${left}${named.length > 0 ? ` = ${sum.toFixed(2)}` : ''}, but the total is ${total.toFixed(2)}.`,
  ];
}

const dateLike =
  /(?<![\d./-])(?:\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([/-])\d{1,2}\2\d{1,2})(?![\d]|[/.-]\d)/;
const dateNames = ['invoice_date', 'due_date'] as const;

function checkDates(fields: Fields, reading: DocumentText): string[] {
  const read: ValueReader<string> = (text) => {
    const raw = dateLike.exec(text.slice(0, 40))?.[0];
    return raw && findDates(text, reading.dayOrder).length === 0 ? { value: raw, raw, certainty: 1 } : null;
  };
  return dateNames.flatMap((name) => {
    const field = fields[name];
    if (field?.evidence.rule === 'label') return [];
    const [found] = findLabelled(reading, documentWords().labels[name], read, { mayStack: true });
    if (!found) return [];
    doubt(fields, [name]);
    return [`“${found.raw}” is no date of the calendar, so it was not taken as ${name}.`];
  });
}

const leastItemColumns = 3;

/** A table with a head and amounts at its end that gave no line items: a reader would otherwise take it for none. */
export function checkTables(fields: Fields, tables: readonly PageTable[], reading: DocumentText): string[] {
  if (fields.line_items) return [];
  const mayHoldItems = ({ cells, colCount }: PageTable): boolean => {
    const head = cells.filter(({ row }) => row === 0).map(cellText);
    const last = cells.filter(({ row, col }) => row > 0 && col === colCount - 1).map(cellText);
    const amounts = last.filter((text) =>
      findAmounts(text, reading.decimal).some(({ percent, decimals }) => !percent && decimals === 2),
    );
    return (
      colCount >= leastItemColumns &&
      amounts.length > 1 &&
      head.length > 1 &&
      !head.some((text) => /\d/.test(text))
    );
  };
  const table = tables.find(mayHoldItems);
  return table
    ? [
        `A table on page ${table.page.number} may hold line items, but its headings are not known, so no line_items were filled.`,
      ]
    : [];
}

/** Warnings about an invoice's figures; the fields that they are about become less sure. */
export const checkInvoice = (fields: Fields, reading: DocumentText): string[] => [
  ...checkRows(fields, reading),
  ...checkSums(fields, reading),
  ...checkDates(fields, reading),
];
