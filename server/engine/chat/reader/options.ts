/** Values to choose among that a description names: “'miles' or 'kilometers'”, “either major or minor”. */
import type { Json } from '../../pack-files.ts';

const quoted = /(?<![\p{L}\d])['"“‘「`]([^'"“”‘’「」`\n]{1,30})['"”’」`](?![\p{L}\d])/gu;
const mostOptions = 24;
const longestDescription = 2_000;

const letter = String.raw`(?:(?!或)[\p{L}\d_-])`;
const named = `${letter}{1,20}`;
const or = String.raw`(?:or|atau)\s+`;
const separator = String.raw`(?:\s*[,，、/]\s*(?:${or})?|\s+${or}|\s*或\s*)`;
/** “either major or minor”, “one of low, medium, high” */
const row = new RegExp(`^[\\s:：(]*(${named}(?:${separator}${named})+)(?!${letter})`, 'iu');
const between = new RegExp(separator, 'iu');

/** @param lead leads to values in a description: “options:”, “either” */
export function namedOptions({ description, type }: Json, lead: RegExp): string[] {
  if (typeof description !== 'string' || ![type].flat().includes('string')) return [];
  const told = description.slice(0, longestDescription);
  const at = lead.exec(told);
  if (!at) return [];
  const rest = told.slice(at.index + at[0].length);
  const inQuotes = [...new Set([...rest.matchAll(quoted)].map(([, option]) => option!.trim()))];
  if (inQuotes.length > 0) return inQuotes.slice(0, mostOptions);
  const parts = row.exec(rest)?.[1]?.split(between) ?? [];
  return parts.length > 1 ? parts.slice(0, mostOptions) : [];
}

/** Other words for a value that its field's description has beside it: “顺丰sf”, “sf (SF Express)”, “a = autumn”. */
export function aliasesOf(option: string, description: unknown): string[] {
  if (typeof description !== 'string' || option === '') return [];
  const own = RegExp.escape(option);
  const before = new RegExp(
    `(\\p{Script=Han}{1,6})\\s{0,4}[(（:：=]?\\s{0,4}${own}(?![\\p{L}\\d])`,
    'iu',
  ).exec(description);
  const behind = new RegExp(
    `(?<![\\p{L}\\d])${own}['"]?\\s{0,4}(?:[:：=]|[(（]|为|是|means|for)\\s{0,4}([\\p{L}\\d][\\p{L}\\d '-]{0,30})`,
    'iu',
  ).exec(description);
  return [before?.[1], behind?.[1]?.trim()].filter((alias) => alias !== undefined);
}
