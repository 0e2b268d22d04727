/**
 * Quality of svc-guard-max: rule and event pairs of the shared Sigma set, attack or not over the shared
 * web requests with our own rules alone, indicators over labelled texts we generate, and hits over benign logs.
 * `score` is the mean of the first three. Sets that are absent count as null and are left out of the mean.
 */
import { readFileSync } from 'node:fs';
import { rank } from '../../server/engine/threat/answer/score.ts';
import type { ThreatEngine } from '../../server/engine/threat/engine.ts';
import { BENIGN_KINDS, benignLog } from '../support/logs/benign.ts';
import { labelledTexts } from '../support/logs/indicators.ts';
import { createRandom } from '../support/logs/random.ts';
import { benignRequest } from '../support/logs/requests.ts';
import { hasShared, never, openThreatEngine, ruleFiles, sharedRules } from '../support/threat-engine.ts';
import { groupedRequests } from '../support/web-requests.ts';
import { progress, rounded } from './measure.ts';
import { Counts, f1, heldOutFiles, leftOutScores, type WebRow, webRows } from './threat/web-requests.ts';
import { blindScores, tally } from './threat-blind/score.ts';
import { familyRows } from './threat-families/rows.ts';

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const engine = await openThreatEngine();
  const benign = await benignHits(engine, quick ? 1 : 10);
  progress(`benign hits ${benign}`);
  const indicators = await indicatorF1(engine, quick ? 50 : 1000);
  progress(`indicator F1 ${indicators}`);
  const rows = hasShared ? webRows(quick ? 20 : 1) : [];
  const web = hasShared ? await webScores(engine, rows) : null;
  const heldOut = hasShared ? heldOutFiles(webRows(1)) : new Set<string>();
  const unseen = hasShared
    ? await webScores(
        engine,
        rows.filter(({ file }) => heldOut.has(file)),
      )
    : null;
  const leftOut = hasShared ? leftOutScores(rows) : null;
  const alarms = await webAlarms(engine, quick ? 100 : 2000);
  progress(
    `web macro-F1 ${web?.macro}, unseen half ${unseen?.macro}, rule files left out ${leftOut?.macro}, ordinary requests flagged ${alarms}`,
  );
  const sets = await developmentSets(engine, quick ? 20 : 1);
  progress(`development sets ${JSON.stringify(sets)}`);
  const blind = await blindScores(engine, quick ? 10 : 1);
  progress(`blind corpus ${JSON.stringify(blind)}`);
  const families = await familyScores(engine, quick ? 10 : 1);
  progress(`families ${JSON.stringify(families)}`);
  // Last: it imports the shared rules.
  const sigma = hasShared ? await sigmaMatch(engine) : null;
  const parts = [sigma?.share, web?.macro, indicators].filter((part) => part !== undefined && part !== null);
  const score = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  return {
    score: rounded(score),
    sigma_match: sigma === null ? null : rounded(sigma.share),
    sigma_pairs: sigma?.pairs ?? 0,
    sigma_errors: sigma?.errors ?? 0,
    web_macro_f1: web === null ? null : rounded(web.macro),
    web_unseen_macro_f1: unseen === null ? null : rounded(unseen.macro),
    web_left_out_macro_f1: leftOut === null ? null : rounded(leftOut.macro),
    web: web?.counts ?? null,
    web_ordinary_flagged: rounded(alarms),
    web_development_sets: sets,
    indicator_f1: rounded(indicators),
    benign_hits: benign,
    blind,
    families,
    floors: web === null ? {} : { web_always_attack_macro_f1: rounded(web.floor) },
  };
}

/** Pairs whose rule is in the set: the share of events that their own rule matches, after importing all rules. */
export async function sigmaMatch(
  engine: ThreatEngine,
): Promise<{ share: number; pairs: number; errors: number }> {
  const files = ruleFiles(sharedRules);
  const { errors } = await engine.methods.importRules({ files });
  const ids = new Set((await engine.methods.rules()).map((rule) => rule.id));
  const rows = readFileSync(`${sharedRules}/events_dev.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { rule_id: string; event: unknown[] });
  const known = rows.filter((row) => ids.has(row.rule_id));
  let matched = 0;
  for (const row of known) {
    const { findings } = await engine.methods.analyze({ text: JSON.stringify(row.event) }, never);
    if (findings.some((finding) => finding.ruleId === row.rule_id)) matched += 1;
  }
  return { share: matched / known.length, pairs: known.length, errors: errors.length };
}

/** A request counts as an attack when any finding is of medium level or above. */
async function isFlagged(engine: ThreatEngine, text: string): Promise<boolean> {
  const { findings } = await engine.methods.analyze({ text }, never);
  return findings.some((finding) => rank(finding.level) >= rank('medium'));
}

export async function webScores(engine: ThreatEngine, rows: readonly WebRow[]): Promise<Counts> {
  const counts = new Counts();
  for (const { text, attack } of rows) counts.add(attack, await isFlagged(engine, text));
  return counts;
}

/** Share of ordinary requests we generate that are flagged. */
async function webAlarms(engine: ThreatEngine, requests: number): Promise<number> {
  const random = createRandom(2);
  let flagged = 0;
  for (let i = 0; i < requests; i += 1) if (await isFlagged(engine, benignRequest(random))) flagged += 1;
  return flagged / requests;
}

/** Shares of our own sets of requests that are flagged; seen while tuning. */
async function developmentSets(engine: ThreatEngine, every: number): Promise<Record<string, number>> {
  const shareOf = async (requests: readonly [string, string][]) => {
    const some = requests.filter((_, i) => i % every === 0);
    let flagged = 0;
    for (const [, text] of some) if (await isFlagged(engine, text)) flagged += 1;
    return rounded(flagged / some.length);
  };
  const ordinary = [...groupedRequests('ordinary-requests')];
  return {
    attacks_found: await shareOf([...groupedRequests('attack-requests')]),
    ordinary_flagged: await shareOf(ordinary.filter(([group]) => group !== 'code-search')),
    code_searches_flagged: await shareOf(ordinary.filter(([group]) => group === 'code-search')),
  };
}

/** Shares of our own attacks found and ordinary lines flagged: families read while tuning, and those held back. */
async function familyScores(engine: ThreatEngine, every: number): Promise<Record<string, number>> {
  const shareOf = async (...of: Parameters<typeof familyRows>) => {
    const { raised, rows } = await tally(
      engine,
      familyRows(...of).filter((_, i) => i % every === 0),
    );
    return rounded(raised / rows);
  };
  return {
    found: await shareOf('attacks', 'tune'),
    flagged: await shareOf('ordinary', 'tune'),
    held_found: await shareOf('attacks', 'held'),
    held_flagged: await shareOf('ordinary', 'held'),
  };
}

export async function indicatorF1(engine: ThreatEngine, count: number): Promise<number> {
  let [tp, fp, fn] = [0, 0, 0];
  for (const { text, expected } of labelledTexts(7, count)) {
    const { indicators } = await engine.methods.analyze({ text }, never);
    const found = new Set(indicators.map(({ type, value }) => `${type} ${value}`));
    const hits = expected.filter((item) => found.has(item)).length;
    tp += hits;
    fn += expected.length - hits;
    fp += found.size - hits;
  }
  return f1(tp, fp, fn);
}

export async function benignHits(engine: ThreatEngine, seeds: number): Promise<number> {
  let hits = 0;
  for (const kind of Object.keys(BENIGN_KINDS)) {
    for (let seed = 100; seed < 100 + seeds; seed += 1) {
      hits += (await engine.methods.analyze({ text: benignLog(kind, seed, 32_000) }, never)).findings.length;
    }
  }
  return hits;
}
