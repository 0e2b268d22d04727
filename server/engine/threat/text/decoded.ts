/** Commands that a text holds in base64, decoded for people: what `-enc` runs, and what that hides in turn. */
import type { Finding, Offset } from '../types.ts';
import { BLOB, decodeBlob, ENCODED } from './shell-forms.ts';

/** A decoded command and where its base64 stands in the text. */
export interface DecodedText extends Offset {
  text: string;
}

const MAX_DECODED = 50;
const MAX_LAYERS = 3;
const MAX_SHOWN = 5;
const MAX_CHARACTERS = 4096;
/** Characters before and behind base64 among which a word says that it is some. */
const BEFORE = 200;
const BEHIND = 60;

/** Letters by chance decode to letters of many scripts; commands are nearly all ASCII. */
const isCommand = (text: string): boolean =>
  (text.match(/[\t\r\n -~]/gu) ?? []).length >= 0.9 * text.length && /[a-z]{2}/iu.test(text);

export function decodeCommands(text: string): DecodedText[] {
  const found: DecodedText[] = [];
  const read = (within: string, layer: number, outer: Offset | null) => {
    for (const { 0: blob, index } of within.matchAll(BLOB)) {
      if (found.length >= MAX_DECODED) return;
      const end = index + blob.length;
      const near = `${within.slice(Math.max(0, index - BEFORE), index)} ${within.slice(end, end + BEHIND)}`;
      const decoded = ENCODED.test(near) ? decodeBlob(blob) : null;
      if (decoded === null || !isCommand(decoded)) continue;
      const place = outer ?? { start: index, end };
      found.push({ ...place, text: decoded.slice(0, MAX_CHARACTERS).trim() });
      if (layer < MAX_LAYERS) read(decoded, layer + 1, place);
    }
  };
  read(text, 1, null);
  return found;
}

/** Each finding with the commands decoded from its lines, where there are any. */
export const withDecoded = (findings: readonly Finding[], decoded: readonly DecodedText[]): Finding[] =>
  findings.map((finding) => {
    const own = decoded.filter(({ start, end }) =>
      finding.lines.some((line) => start >= line.start && end <= line.end),
    );
    if (own.length === 0) return finding;
    return { ...finding, decoded: [...new Set(own.map(({ text }) => text))].slice(0, MAX_SHOWN) };
  });
