/** The threat engine over the starter pack, as a host process would open it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAnomalies as findWith } from '../../server/engine/threat/anomalies/find.ts';
import type { ThreatEngine } from '../../server/engine/threat/engine.ts';
import { openEngine } from '../../server/engine/threat/engine.ts';
import { loadKnowledge } from '../../server/engine/threat/knowledge.ts';
import type { LogEvent } from '../../server/engine/threat/readers/event.ts';
import { readEvents as readFrom } from '../../server/engine/threat/readers/read.ts';
import type { RuleFile, UserRules } from '../../server/engine/threat/types.ts';

export const guardPack = fileURLToPath(new URL('../../models/packs/guard-starter/', import.meta.url));
export const sharedRules = fileURLToPath(new URL('../../../shared/data/logs-sigma-rules/', import.meta.url));
export const sharedRequests = fileURLToPath(
  new URL('../../../shared/data/logs-crs-dev/requests.jsonl.gz', import.meta.url),
);
export const hasShared = existsSync(sharedRules) && existsSync(sharedRequests);

export async function openThreatEngine(
  manifest: Record<string, unknown> = {},
  rules?: UserRules,
): Promise<ThreatEngine> {
  const pack = { ref: 'guard-starter@0.1.0', folder: guardPack.replace(/\/$/u, ''), manifest };
  return (await openEngine(pack, {
    threads: 1,
    providers: ['cpu'],
    ...(rules && { rules }),
  })) as ThreatEngine;
}

/** What the starter pack knows apart from rules, and reading and detection by it. */
export const knowledge = await loadKnowledge({ folder: guardPack });
export const readEvents = (text: string) => readFrom(text, knowledge.sources);
export const findAnomalies = (events: readonly LogEvent[]) => findWith(events, knowledge.anomalies);
export const detectWeb = (event: LogEvent) => knowledge.web.detect(event);

export const never = { signal: new AbortController().signal };

export function ruleFiles(folder: string): RuleFile[] {
  return globSync('**/*.yml', { cwd: folder })
    .toSorted()
    .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
}

export interface Sample {
  rule: string;
  id: string;
  text: string;
  /** A near one over which the rule is silent. */
  not?: string;
}

export function samples(): Sample[] {
  return globSync('samples/*.jsonl', { cwd: guardPack }).flatMap((name) =>
    readFileSync(`${guardPack}/${name}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample),
  );
}
