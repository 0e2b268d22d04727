/**
 * Blind corpora: attacks and ordinary texts written by somebody who had seen neither rules nor code. A text counts as found or
 * flagged when the answer's severity is medium or higher. The first has been read while tuning; the learnt words are trained on the
 * first twelve, by twenty authors. The thirteenth, by two more, is the unseen one (`../threat-blind13`): of it only
 * totals and counts by family are ever shown, and nobody who tunes opens it.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { never } from '../../support/threat-engine.ts';
import { rounded } from '../measure.ts';

export interface BlindRow {
  id: string;
  family: string;
  /** Texts of one scenario share it. */
  group: string;
  text: string;
  half?: 'dev' | 'unseen';
}

export type BlindSet = 'attacks' | 'ordinary';
const folders = {
  first: '.',
  second: '../threat-blind2',
  third: '../threat-blind3',
  fourth: '../threat-blind4',
  fifth: '../threat-blind5',
  sixth: '../threat-blind6',
  seventh: '../threat-blind7',
  eighth: '../threat-blind8',
  ninth: '../threat-blind9',
  tenth: '../threat-blind10',
  eleventh: '../threat-blind11',
  twelfth: '../threat-blind12',
  unseen: '../threat-blind13',
} as const;
export type Corpus = keyof typeof folders;
export const corpora = Object.keys(folders) as Corpus[];

const fileOf = (set: BlindSet, corpus: Corpus) =>
  new URL(`${folders[corpus]}/${set}.jsonl.gz`, import.meta.url);

export const blindRows = (set: BlindSet, corpus: Corpus): BlindRow[] =>
  gunzipSync(readFileSync(fileOf(set, corpus)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BlindRow);

export interface Tally {
  rows: number;
  raised: number;
  families: Record<string, [raised: number, rows: number]>;
}

/** Texts of medium severity or higher, in all and by family; `onRow` hears each text: never give one for the unseen corpus. */
export async function tally(
  engine: ThreatEngine,
  rows: readonly BlindRow[],
  onRow?: (row: BlindRow, raised: boolean, titles: string[]) => void,
): Promise<Tally> {
  const total: Tally = { rows: 0, raised: 0, families: {} };
  for (const row of rows) {
    const { severity, findings } = await engine.methods.analyze({ text: row.text }, never);
    const raised = rank(severity) >= rank('medium');
    total.rows += 1;
    if (raised) total.raised += 1;
    total.families[row.family] ??= [0, 0];
    const counts = total.families[row.family] as [number, number];
    counts[1] += 1;
    if (raised) counts[0] += 1;
    onRow?.(
      row,
      raised,
      findings.map(({ level, ruleId, title }) => `${level} ${ruleId} ${title}`),
    );
  }
  return total;
}

const share = ({ raised, rows }: Tally) => rounded(raised / rows);

/** Shares found and flagged of every corpus: `found`, `flagged` of the first, `second_found` … `unseen_flagged` of the others. */
export async function blindScores(engine: ThreatEngine, every: number): Promise<Record<string, number>> {
  const scores: Record<string, number> = {};
  for (const corpus of corpora) {
    const prefix = corpus === 'first' ? '' : `${corpus}_`;
    for (const [set, name] of [
      ['attacks', 'found'],
      ['ordinary', 'flagged'],
    ] as const) {
      const rows = blindRows(set, corpus).filter((_, i) => i % every === 0);
      scores[`${prefix}${name}`] = share(await tally(engine, rows));
    }
  }
  return scores;
}
