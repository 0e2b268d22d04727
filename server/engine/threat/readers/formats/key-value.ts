import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';

const PAIR =
  /([A-Za-z_][\w.@:-]{0,63})=(?:"((?:[^"\\]|\\.){0,16384})"|'([^']{0,16384})'|([^\s,;]{0,16384}))/gu;

/** `name=value name="quoted value"`; the number of pairs found. */
export function readKeyValues(event: LogEvent, text: string): number {
  let count = 0;
  for (const match of text.matchAll(PAIR)) {
    const quoted = match[2]?.replace(/\\(["\\])/gu, '$1');
    addField(event, match[1] as string, quoted ?? match[3] ?? match[4] ?? '');
    count += 1;
    if (count >= 512) break;
  }
  return count;
}
