/**
 * How well svc-guard-max finds what it should: rule and event pairs of the shared Sigma set, attack or not over the shared
 * web requests with our own rules alone, indicators over labelled texts we generate, and hits over benign logs.
 * `score` is the mean of the first three. Sets that are absent count as null and are left out of the mean.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { rank } from '../../server/engine/threat/answer/score.ts';
import type { ThreatEngine } from '../../server/engine/threat/engine.ts';
import { BENIGN_KINDS, benignLog } from '../support/logs/benign.ts';
import { labelledTexts } from '../support/logs/indicators.ts';
import {
  hasShared,
  never,
  openThreatEngine,
  ruleFiles,
  sharedRequests,
  sharedRules,
} from '../support/threat-engine.ts';
import { progress, rounded } from './measure.ts';

interface WebRow {
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

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const benign = await benignHits(await openThreatEngine(), quick ? 1 : 10);
  progress(`benign hits ${benign}`);
  const indicators = await indicatorF1(await openThreatEngine(), quick ? 50 : 1000);
  progress(`indicator F1 ${indicators}`);
  const web = hasShared ? await webScores(await openThreatEngine(), quick ? 20 : 1) : null;
  const sigma = hasShared ? await sigmaMatch(await openThreatEngine()) : null;
  const parts = [sigma?.share, web?.macro, indicators].filter((part) => part !== undefined && part !== null);
  const score = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  return {
    score: rounded(score),
    sigma_match: sigma === null ? null : rounded(sigma.share),
    sigma_pairs: sigma?.pairs ?? 0,
    sigma_errors: sigma?.errors ?? 0,
    web_macro_f1: web === null ? null : rounded(web.macro),
    web: web === null ? null : { tp: web.tp, fp: web.fp, tn: web.tn, fn: web.fn },
    indicator_f1: rounded(indicators),
    benign_hits: benign,
    floors: web === null ? {} : { web_always_attack_macro_f1: rounded(web.floor) },
  };
}

/** Pairs whose rule is in the set: the share of events that their own rule matches, after importing all rules. */
async function sigmaMatch(engine: ThreatEngine): Promise<{ share: number; pairs: number; errors: number }> {
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

function toText({ method, uri, headers, data, encoded_request }: WebRow['request']): string {
  if (encoded_request !== undefined) return Buffer.from(encoded_request, 'base64').toString('latin1');
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [`${method ?? 'GET'} ${uri ?? '/'} HTTP/1.1`, ...lines, '', data ?? ''].join('\r\n');
}

const f1 = (tp: number, fp: number, fn: number) => (tp === 0 ? 0 : (2 * tp) / (2 * tp + fp + fn));

/** A request counts as an attack when any finding is of medium level or above. Rows that expect neither are left out. */
async function webScores(engine: ThreatEngine, every: number) {
  const rows = gunzipSync(readFileSync(sharedRequests))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WebRow);
  const counts = { tp: 0, fp: 0, tn: 0, fn: 0 };
  for (const row of rows.filter((_, i) => i % every === 0)) {
    if (row.expect_ids.length + row.no_expect_ids.length === 0) continue;
    const isAttack = row.expect_ids.length > 0;
    const text = toText(row.request);
    if (Buffer.byteLength(text) > 32_768) continue;
    const { findings } = await engine.methods.analyze({ text }, never);
    const flagged = findings.some((finding) => rank(finding.level) >= rank('medium'));
    counts[isAttack ? (flagged ? 'tp' : 'fn') : flagged ? 'fp' : 'tn'] += 1;
  }
  const { tp, fp, tn, fn } = counts;
  return { ...counts, macro: (f1(tp, fp, fn) + f1(tn, fn, fp)) / 2, floor: f1(tp + fn, tn + fp, 0) / 2 };
}

async function indicatorF1(engine: ThreatEngine, count: number): Promise<number> {
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

async function benignHits(engine: ThreatEngine, seeds: number): Promise<number> {
  let hits = 0;
  for (const kind of Object.keys(BENIGN_KINDS)) {
    for (let seed = 100; seed < 100 + seeds; seed += 1) {
      hits += (await engine.methods.analyze({ text: benignLog(kind, seed, 32_000) }, never)).findings.length;
    }
  }
  return hits;
}
