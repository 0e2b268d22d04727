/**
 * Blind corpora: attacks and ordinary texts written by somebody who had seen neither rules nor code. A text counts as found or
 * flagged when the answer's severity is medium or higher. The first has been read while tuning; the learnt words are trained on the
 * first nine, by fourteen authors. The tenth, by two more, is the unseen one (`../threat-blind10`): of it only
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
  unseen: '../threat-blind10',
} as const;
export type Corpus = keyof typeof folders;

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

/** Shares found and flagged on the corpora known to those who tune, and on the unseen one. */
export async function blindScores(engine: ThreatEngine, every: number) {
  const of = async (set: BlindSet, corpus: Corpus) =>
    share(
      await tally(
        engine,
        blindRows(set, corpus).filter((_, i) => i % every === 0),
      ),
    );
  return {
    found: await of('attacks', 'first'),
    flagged: await of('ordinary', 'first'),
    second_found: await of('attacks', 'second'),
    second_flagged: await of('ordinary', 'second'),
    third_found: await of('attacks', 'third'),
    third_flagged: await of('ordinary', 'third'),
    fourth_found: await of('attacks', 'fourth'),
    fourth_flagged: await of('ordinary', 'fourth'),
    fifth_found: await of('attacks', 'fifth'),
    fifth_flagged: await of('ordinary', 'fifth'),
    sixth_found: await of('attacks', 'sixth'),
    sixth_flagged: await of('ordinary', 'sixth'),
    seventh_found: await of('attacks', 'seventh'),
    seventh_flagged: await of('ordinary', 'seventh'),
    eighth_found: await of('attacks', 'eighth'),
    eighth_flagged: await of('ordinary', 'eighth'),
    ninth_found: await of('attacks', 'ninth'),
    ninth_flagged: await of('ordinary', 'ninth'),
    unseen_found: await of('attacks', 'unseen'),
    unseen_flagged: await of('ordinary', 'unseen'),
  };
}
