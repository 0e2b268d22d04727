/** Values to choose among that a description names: “'miles' or 'kilometers'”, “either major or minor”. */
import type { Json } from '../../pack-files.ts';

const quoted = /(?<![\p{L}\d])['"“‘「`]([^'"“”‘’「」`\n]{1,30})['"”’」`](?![\p{L}\d])/gu;
const mostOptions = 24;

/** @param lead leads to values in a description: “options:”, “either” */
export function namedOptions({ description, type }: Json, lead: RegExp): string[] {
  if (typeof description !== 'string' || ![type].flat().includes('string')) return [];
  const at = lead.exec(description);
  if (!at) return [];
  const rest = description.slice(at.index + at[0].length);
  const inQuotes = [...new Set([...rest.matchAll(quoted)].map(([, option]) => option!.trim()))];
  if (inQuotes.length > 1) return inQuotes.slice(0, mostOptions);
  // “either major or minor”, “one of low, medium, high”
  const plain =
    /^[\s:：(]*((?:[\p{L}\d_-]{1,20}(?:\s*[,，、/]\s*|\s+(?:or|atau)\s+|\s*或\s*))+(?:(?:or|atau)\s+)?[\p{L}\d_-]{1,20})/iu.exec(
      rest,
    );
  const parts = plain?.[1]?.split(/\s*[,，、/]\s*(?:(?:or|atau)\s+)?|\s+(?:or|atau)\s+|\s*或\s*/iu) ?? [];
  return parts.length > 1 ? parts.slice(0, mostOptions) : [];
}
