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
  const medians: Record<string, number> = {};
  let events = 0;
  for (const kind of kinds) {
    const times: number[] = [];
    for (let round = 0; round < (quick ? 3 : 25); round += 1) {
      const text = benignLog(kind, 500 + round, 32_000);
      const start = performance.now();
      const { formats } = await engine.methods.analyze({ text }, never);
      times.push(performance.now() - start);
      if (kind === 'mixed') events = Object.values(formats).reduce((sum, count) => sum + count, 0);
    }
    // The first rounds warm the compiler up.
    medians[kind] = rounded(median(times.slice(quick ? 1 : 10)));
    progress(`${kind}: ${medians[kind]} ms`);
  }
  const mixed = medians.mixed as number;
  return {
    ms_32kb: mixed,
    rules,
    rule_events_per_s: Math.round((rules * events) / (mixed / 1000)),
    ms_by_kind: medians,
    load_ms: Math.round(loadMs),
    worst_ms: Math.max(...Object.values(medians)),
  };
}
