/**
 * Actions of a PDF by their names in its bytes: those that start programs, send forms or open other files stand in no list of
 * the reader's. Names may be written with `#` codes and lie in compressed object streams (ISO 32000-1, 7.3.5, 7.5.7, 12.6.4).
 */

import { inflateSync } from 'node:zlib';
import type { ActivePart } from '../office/flow.ts';

/** Of one object stream, inflated; the bomb guard has seen the file before. */
const maxStreamBytes = 8 * 1024 * 1024;
const maxParts = 20;
const maxTarget = 120;

const kinds: Record<string, ActivePart['kind']> = {
  Launch: 'launch_action',
  GoToR: 'external_reference',
  GoToE: 'external_reference',
  SubmitForm: 'external_reference',
  ImportData: 'external_reference',
};

const objectStream = /\/Type\s*\/ObjStm\b/;

/** The text of objects: what lies between streams, and streams of objects. */
function* objectTexts(file: Buffer): Generator<string> {
  let position = 0;
  while (position < file.length) {
    const keyword = file.indexOf('stream', position, 'latin1');
    const text = file.toString('latin1', position, keyword < 0 ? file.length : keyword);
    yield text;
    if (keyword < 0) return;
    const end = file.indexOf('endstream', keyword + 6, 'latin1');
    const stop = end < 0 ? file.length : end;
    if (objectStream.test(text.slice(-1024))) {
      const start = keyword + 6 + (file[keyword + 6] === 0x0d ? 2 : 1);
      try {
        yield inflateSync(file.subarray(start, stop), { maxOutputLength: maxStreamBytes }).toString('latin1');
      } catch {
        // Damaged, encrypted, or longer than any list of objects: the reader says what it makes of it.
      }
    }
    position = stop + 9;
  }
}

const plainNames = (text: string): string =>
  text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** File or address that an action's dictionary names, as far as it is a plain string behind the name. */
function targetOf(text: string, at: number): string {
  const name = /\/(?:UF|F)\s*\(((?:[^()\\]|\\.)*)\)/;
  const before = text.slice(Math.max(0, text.lastIndexOf('<<', at)), at);
  const found = name.exec(before.slice(-500)) ?? name.exec(text.slice(at, at + 500));
  return found?.[1]?.slice(0, maxTarget) ?? 'unnamed';
}

export function actionParts(bytes: Uint8Array): ActivePart[] {
  const found = new Map<string, ActivePart>();
  for (const raw of objectTexts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    const text = plainNames(raw);
    for (const match of text.matchAll(/\/S\s*\/(Launch|GoToR|GoToE|SubmitForm|ImportData)\b/g)) {
      const detail = `${match[1]} ${targetOf(text, match.index)}`;
      if (found.size < maxParts) found.set(detail, { kind: kinds[match[1]!]!, detail });
    }
  }
  return [...found.values()];
}
