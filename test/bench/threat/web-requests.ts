/** The shared web requests, and how well the signatures would do on rule files they were not written from. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RE2JS } from 're2js';
import { applies } from '../../../server/engine/threat/web/detect-web.ts';
import { commandLine } from '../../../server/engine/threat/web/protocol/parameters.ts';
import { protocolHits } from '../../../server/engine/threat/web/protocol/protocol.ts';
import {
  isWebEvent,
  toRequest,
  type WebValue,
} from '../../../server/engine/threat/web/request/web-request.ts';
import { shapesOf } from '../../../server/engine/threat/web/shapes.ts';
import { loadWebKnowledge } from '../../../server/engine/threat/web/web-knowledge.ts';
import { guardPack, readEvents, sharedRequests } from '../../support/threat-engine.ts';

export interface WebRow {
  text: string;
  /** The rule file whose test the request is. */
  file: string;
  attack: boolean;
}

interface SharedRow {
  file: string;
  expect_ids: number[];
  no_expect_ids: number[];
  request: {
    method?: string;
    uri?: string;
    headers?: Record<string, string>;
    data?: string;
    encoded_request?: string;
  };
}

function toText({ method, uri, headers, data, encoded_request }: SharedRow['request']): string {
  if (encoded_request !== undefined) return Buffer.from(encoded_request, 'base64').toString('latin1');
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [`${method ?? 'GET'} ${uri ?? '/'} HTTP/1.1`, ...lines, '', data ?? ''].join('\r\n');
}

/** Rows that expect neither, and those over 32 KB, are left out. */
export function webRows(every: number): WebRow[] {
  return gunzipSync(readFileSync(sharedRequests))
    .toString('utf8')
    .trim()
    .split('\n')
    .filter((_, i) => i % every === 0)
    .map((line) => JSON.parse(line) as SharedRow)
    .filter((row) => row.expect_ids.length + row.no_expect_ids.length > 0)
    .map((row) => ({ text: toText(row.request), file: row.file, attack: row.expect_ids.length > 0 }))
    .filter(({ text }) => Buffer.byteLength(text) <= 32_768);
}

export const f1 = (tp: number, fp: number, fn: number) => (tp === 0 ? 0 : (2 * tp) / (2 * tp + fp + fn));

export class Counts {
  readonly counts = { tp: 0, fp: 0, tn: 0, fn: 0 };

  add(attack: boolean, flagged: boolean): void {
    this.counts[attack ? (flagged ? 'tp' : 'fn') : flagged ? 'fp' : 'tn'] += 1;
  }

  get macro(): number {
    const { tp, fp, tn, fn } = this.counts;
    return (f1(tp, fp, fn) + f1(tn, fn, fp)) / 2;
  }

  /** Macro-F1 of calling everything an attack. */
  get floor(): number {
    const { tp, fp, tn, fn } = this.counts;
    return f1(tp + fn, tn + fp, 0) / 2;
  }
}

const known = await loadWebKnowledge({ folder: guardPack });
const { signatures } = known;
const context = { command: commandLine(known.unixCommands), knowledge: known };

const EXPRESSIONS = signatures
  .filter(({ level }) => level !== 'low')
  .flatMap((signature) =>
    signature.patterns.map((pattern, i) => ({
      signature,
      id: `${signature.id} ${i}`,
      regex: RE2JS.compile(pattern, RE2JS.DOTALL),
    })),
  );

const bears = (value: WebValue) =>
  EXPRESSIONS.filter(
    ({ signature, regex }) => applies(signature, value.place) && regex.test(value[signature.form]),
  );

/** Every single expression and check that a request meets. */
function hitsOf(text: string): Set<string> {
  const hits = new Set<string>();
  for (const event of readEvents(text).filter(isWebEvent)) {
    const request = toRequest(event, known.parameters);
    for (const value of request.values)
      for (const { id } of [...bears(value), ...shapesOf(value, known)]) hits.add(id);
    for (const { id } of protocolHits(request, context)) hits.add(id);
  }
  return hits;
}

/**
 * Every second rule file by name. The detectors by shape (shapes.ts, tampering.ts) were written without a look at the attacks of
 * these; the older expressions were not.
 */
export function heldOutFiles(rows: readonly WebRow[]): Set<string> {
  const names = [...new Set(rows.map(({ file }) => file))].sort();
  return new Set(names.filter((_, i) => i % 2 === 1));
}

/**
 * Each request is judged by those expressions alone that an attack of another rule file meets too. An expression written for
 * one rule file is so left out for it: an estimate of rule files never seen, if a mild one.
 */
export function leftOutScores(rows: readonly WebRow[]): Counts {
  const hits = rows.map(({ text }) => hitsOf(text));
  const files = new Map<string, Set<string>>();
  for (const [i, { file, attack }] of rows.entries()) {
    if (!attack) continue;
    for (const id of hits[i] as Set<string>) files.set(id, (files.get(id) ?? new Set()).add(file));
  }
  const counts = new Counts();
  for (const [i, { file, attack }] of rows.entries()) {
    const flagged = [...(hits[i] as Set<string>)].some((id) =>
      [...(files.get(id) ?? [])].some((other) => other !== file),
    );
    counts.add(attack, flagged);
  }
  return counts;
}
