/**
 * 32 KB of mixed logs with 3,000 rules loaded. Beyond the starter and the shared set, rules are copies under other ids: harder
 * than 3,000 different rules, since every literal that occurs calls all its copies.
 */

import { BENIGN_KINDS, benignLog } from '../support/logs/benign.ts';
import {
  guardPack,
  hasShared,
  never,
  openThreatEngine,
  ruleFiles,
  sharedRules,
} from '../support/threat-engine.ts';
import { median, progress, rounded } from './measure.ts';

const RULES = 3000;

function moreRules(count: number) {
  const files = [...ruleFiles(`${guardPack}/rules`), ...(hasShared ? ruleFiles(sharedRules) : [])];
  return Array.from({ length: Math.ceil(count / files.length) }, (_, copy) =>
    files.map(({ name, text }) => ({
      name: `${copy}-${name}`,
      text: text.replace(/^id: .*$/mu, `id: copy-${copy}-${name}`),
    })),
  )
    .flat()
    .slice(0, count);
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const engine = await openThreatEngine();
  const before = (await engine.methods.rules()).length;
  const loadStart = performance.now();
  await engine.methods.importRules({ files: moreRules(quick ? 100 : RULES - before) });
  const rules = (await engine.methods.rules()).length;
  await engine.methods.analyze({ text: 'up' }, never);
  const loadMs = performance.now() - loadStart;
  progress(`${rules} rules loaded in ${Math.round(loadMs)} ms`);
  const kinds = ['mixed', ...Object.keys(BENIGN_KINDS)];
  const rounds = quick ? 2 : 15;
  const analyze = (kind: string, seed: number) =>
    engine.methods.analyze({ text: benignLog(kind, seed, 32_000) }, never);
  // Warm-up: other texts of the same kinds, so that the compiler has seen every path.
  for (let round = 0; round < rounds; round += 1) for (const kind of kinds) await analyze(kind, 100 + round);
  const medians: Record<string, number> = {};
  let events = 0;
  let cpuMs = 0;
  for (const kind of kinds) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const text = benignLog(kind, 500 + round, 32_000);
      const cpu = process.cpuUsage();
      const start = performance.now();
      const { formats } = await engine.methods.analyze({ text }, never);
      times.push(performance.now() - start);
      const { user, system } = process.cpuUsage(cpu);
      if (kind === 'mixed') cpuMs += (user + system) / 1000 / rounds;
      if (kind === 'mixed') events = Object.values(formats).reduce((sum, count) => sum + count, 0);
    }
    medians[kind] = rounded(median(times));
    progress(`${kind}: ${medians[kind]} ms`);
  }
  const mixed = medians.mixed as number;
  return {
    ms_32kb: mixed,
    // Of this process alone: says what the figure above would be on a quiet machine.
    cpu_ms_32kb: rounded(cpuMs),
    rules,
    rule_events_per_s: Math.round((rules * events) / (mixed / 1000)),
    ms_by_kind: medians,
    load_ms: Math.round(loadMs),
    worst_ms: Math.max(...Object.values(medians)),
  };
}
