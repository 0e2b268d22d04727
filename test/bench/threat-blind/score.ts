/**
 * The blind corpus: attacks and ordinary texts written by somebody who had seen neither rules nor code. A text counts as found or
 * flagged when the answer's severity is medium or higher. Half of it (`dev`) may be read while tuning; of the other only totals
 * and counts by family are ever shown.
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
  text: string;
  half: 'dev' | 'unseen';
}

export type BlindSet = 'attacks' | 'ordinary';

export const blindRows = (set: BlindSet): BlindRow[] =>
  gunzipSync(readFileSync(new URL(`${set}.jsonl.gz`, import.meta.url)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BlindRow);

export interface Tally {
  rows: number;
  raised: number;
  families: Record<string, [raised: number, rows: number]>;
}

/** Texts of medium severity or higher, in all and by family; `onRow` hears each text of the `dev` half. */
export async function tally(
  engine: ThreatEngine,
  rows: readonly BlindRow[],
  onRow: (row: BlindRow, raised: boolean, titles: string[]) => void = () => {},
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
    if (row.half === 'dev')
      onRow(
        row,
        raised,
        findings.map(({ level, ruleId, title }) => `${level} ${ruleId} ${title}`),
      );
  }
  return total;
}

const share = ({ raised, rows }: Tally) => rounded(raised / rows);

/** Shares found and flagged on both halves together, and on the unseen one. */
export async function blindScores(engine: ThreatEngine, every: number) {
  const of = async (set: BlindSet, half?: string) =>
    share(
      await tally(
        engine,
        blindRows(set).filter((row, i) => i % every === 0 && (half === undefined || row.half === half)),
      ),
    );
  return {
    found: await of('attacks'),
    flagged: await of('ordinary'),
    unseen_found: await of('attacks', 'unseen'),
    unseen_flagged: await of('ordinary', 'unseen'),
  };
}
