/** An array of objects from a table or a list of the text. */
import type { Json } from '../../pack-files.ts';
import type { Context, ReadingSettings } from './context.ts';
import { coverageOf, type ReadText } from './features.ts';
import { type TextTable, tableOf } from './grid.ts';
import { parallelParts } from './parallel-parts.ts';
import { rowsOfPhrases } from './phrase-rows.ts';
import { asksNumber, isPlain } from './schemas.ts';
import { typedValue } from './values.ts';
import { questionOf, wordsOfKey } from './wording.ts';

const mostRows = 64;

/** Reads an object from an item's own words; null where one of its fields is not told and may not be empty (`isEmptied`). */
type FillItem = (item: string, isEmptied: boolean) => Promise<Record<string, unknown> | null>;

/**
 * An object for each item of the text's list or table, else for each thing that it names.
 * @param about words of the fields around it
 * @param fillItem where the columns or the shape of the lines do not tell
 */
export async function fillRows(
  schema: Json,
  text: ReadText,
  about: string,
  context: Context,
  fillItem: FillItem,
): Promise<Record<string, unknown>[] | null> {
  const known =
    rowsByColumn(schema, text, context) ??
    rowsByShape(schema, text.text, context) ??
    rowsOfPhrases(schema, text.text, context.settings);
  if (known) return known;
  const rows: Record<string, unknown>[] = [];
  for (const item of itemsOf(text.text, tableOf(text.text, context.settings.tables.summing)).slice(
    0,
    mostRows,
  )) {
    const row = await fillItem(item, false);
    if (row) rows.push(row);
  }
  if (rows.length > 0) return rows;
  for (const parts of context.isEmptied ? parallelParts(text.text, context.settings) : []) {
    const each = await wholeRows(parts, fillItem);
    if (each) return each;
  }
  return rowsByName(schema, text, about, context, fillItem);
}

/** An object of each part; null where one of them does not tell it. */
async function wholeRows(
  parts: readonly string[],
  fillItem: FillItem,
): Promise<Record<string, unknown>[] | null> {
  const rows: Record<string, unknown>[] = [];
  for (const part of parts) {
    const row = await fillItem(part, false);
    if (!row) return null;
    rows.push(row);
  }
  return rows;
}

/** “A cat named Luna … I also have a dog, Rex”: the names, each with the words up to the next one. */
async function rowsByName(
  schema: Json,
  text: ReadText,
  about: string,
  context: Context,
  fillItem: FillItem,
): Promise<Record<string, unknown>[] | null> {
  const named = Object.entries(schema.properties as Json).find(
    ([, each]) => isPlain(each) && [each.type].flat().includes('string') && each.enum === undefined,
  );
  if (!named || !context.isEmptied) return null;
  const [key, field] = named;
  const settings = context.settings.values;
  const description = String((field as Json).description ?? '');
  const questions = [{ asking: 'list' as const, question: questionOf({ key, description }, about) }];
  if (!context.reader.canRead(questions.length, text, context.budget)) return null;
  const [reading] = await context.reader.read(questions, text, context.signal);
  const names = reading!.places.toSorted((a, b) => a.start - b.start).slice(0, mostRows);
  if (names.length < 2) return null;
  const borders = names.map(({ start }, at) => borderBefore(text, names[at - 1]?.end ?? 0, start));
  const rows: Record<string, unknown>[] = [];
  for (const [at, name] of names.entries()) {
    const row = await fillItem(text.text.slice(borders[at], borders[at + 1]).trim(), true);
    const value = typedValue(
      name.text,
      { key, schema: field as Json, ...name, context: text.text },
      settings,
    );
    if (row) rows.push(value === undefined ? row : { ...row, [key]: value });
  }
  return rows.length > 0 ? rows : null;
}

/** The begin of the sentence that holds a name, else of its part of the sentence, behind the name before it. */
function borderBefore({ sentenceOf, text, words }: ReadText, after: number, start: number): number {
  const at = words.findLastIndex((word) => word.start <= start);
  const sentence = words.find((_, index) => sentenceOf[index] === sentenceOf[at])?.start ?? start;
  if (sentence >= after) return sentence;
  const between = text.slice(after, start);
  const signs = [...between.matchAll(/[,;，；、]\s*|\s(?:and|dan)\s/gu)];
  const last = signs.at(-1);
  return last ? after + last.index + last[0].length : start;
}

const isItem = /^\s*(?:[-*•·▪–]|\d{1,2}[.)、])\s+\S/u;

/** Texts that each tell of one thing of a list: a list's items, or a table's rows behind its head. */
export function itemsOf(text: string, grid: TextTable | null): string[] {
  const items = text.split('\n').filter((line) => isItem.test(line));
  if (items.length > 1) return items;
  const head = grid?.header.join(' | ') ?? '';
  return (grid?.rows ?? []).map(({ cells }) =>
    `${head}\n${cells.map((cell) => cell.text).join(' | ')}`.trim(),
  );
}

/** A table's rows as objects, each field from the column whose name it is most like; null where a field that is needed has none. */
function rowsByColumn(
  schema: Json,
  text: ReadText,
  { reader, settings }: Context,
): Record<string, unknown>[] | null {
  const grid = tableOf(text.text, settings.tables.summing);
  if (!grid || grid.header.length === 0) return null;
  const names = grid.header.map((name) => reader.prepare(wordsOfKey(name)));
  const properties = Object.entries(schema.properties as Json);
  const pairs = properties
    .flatMap(([key, each]) => {
      const description = isPlain(each) && typeof each.description === 'string' ? each.description : '';
      const asked = reader.prepare(`${wordsOfKey(key)} ${description}`);
      return names.map((name, column) => ({
        key,
        column,
        score: coverageOf(asked, name) + coverageOf(name, asked),
      }));
    })
    .sort((a, b) => b.score - a.score);
  const columns = new Map<string, number>();
  for (const { column, key, score } of pairs)
    if (score > leastLikeness && !columns.has(key) && ![...columns.values()].includes(column))
      columns.set(key, column);
  const isWhole = properties.length === grid.header.length && columns.size >= properties.length - 1;
  if (isWhole)
    for (const [key] of properties)
      if (!columns.has(key))
        columns.set(
          key,
          names.findIndex((_, column) => ![...columns.values()].includes(column)),
        );
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (columns.size === 0 || required.some((key) => !columns.has(key))) return null;
  return grid.rows
    .slice(0, mostRows)
    .map(({ cells }) => objectOf(properties, (key) => cells[columns.get(key) ?? -1]?.text ?? '', settings));
}

const leastLikeness = 0.9;

/** “Name: 5” in each line, or parted by semicolons: a word for the one field of words, numbers in order for the others. */
function rowsByShape(schema: Json, text: string, { settings }: Context): Record<string, unknown>[] | null {
  const properties = Object.entries(schema.properties as Json);
  const words = properties.filter(([, each]) => !asksNumber(each));
  if (words.length !== 1) return null;
  const lines = text
    .trim()
    .split(/\n|[;；]\s*|,\s+(?=[^,]*[:：])/u)
    .filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  const rows = lines.map((line) => {
    const [, name, rest] = /^\s*(?:[-*•]\s*)?([^:：=\t]{1,60}?)\s*[:：=\t]\s*(.*)$/u.exec(line) ?? [];
    const numbers = rest?.match(/-?\d[\d.,]*/gu) ?? [];
    if (!name || numbers.length !== properties.length - 1) return null;
    let at = 0;
    return objectOf(properties, (key) => (key === words[0]![0] ? name : numbers[at++]!), settings);
  });
  return rows.every((row) => row !== null) ? rows.slice(0, mostRows) : null;
}

/** @param wordsOf what stands in the text for a field */
function objectOf(
  properties: readonly [string, unknown][],
  wordsOf: (key: string) => string,
  { tables, values }: ReadingSettings,
): Record<string, unknown> {
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, schema] of properties) {
    const words = wordsOf(key).trim();
    if (!isPlain(schema)) continue;
    const types = [schema.type].flat();
    const isEmpty = words === '' || /^[-–—]$/u.test(words);
    const value = isEmpty
      ? undefined
      : types.includes('boolean')
        ? tables.yes.test(words)
        : Array.isArray(schema.enum)
          ? schema.enum.find((option) => wordsOfKey(String(option)) === wordsOfKey(words))
          : typedValue(words, { key, schema }, values);
    if (value !== undefined) made[key] = value;
    else if (types.includes('null')) made[key] = null;
  }
  return made;
}
