/** The ATT&CK techniques an answer may name: facts from the pack's attack.tsv (id, name, tactics). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Technique {
  id: string;
  name: string;
  tactics: string[];
}

export interface AttackTable {
  version: string;
  /** The technique, by its own id or by the id a later edition gave it; null when this edition has none. */
  find(id: string): Technique | null;
  size: number;
}

export const ATTACK_VERSION = '16.1';

/** Ids of later editions (17 to 19) → the technique that meant the same in 16.1. */
const LATER: Readonly<Record<string, string>> = {
  T1685: 'T1562.001',
  'T1685.001': 'T1562.002',
  'T1685.002': 'T1562.008',
  'T1685.004': 'T1562.012',
  'T1685.005': 'T1070.001',
  T1686: 'T1562.004',
  'T1686.001': 'T1562.007',
  'T1686.002': 'T1562.004',
  'T1686.003': 'T1562.004',
};

export function parseAttackTable(tsv: string): AttackTable {
  const techniques = new Map<string, Technique>();
  for (const line of tsv.split('\n')) {
    const [id, name, tactics] = line.split('\t');
    if (id && name && tactics && /^T\d{4}/u.test(id))
      techniques.set(id, { id, name, tactics: tactics.split(',') });
  }
  const find = (id: string): Technique | null => {
    const key = id.toUpperCase();
    const successor = LATER[key];
    // A sub-technique this edition does not know still is its parent.
    return (
      techniques.get(key) ??
      (successor === undefined ? undefined : techniques.get(successor)) ??
      techniques.get(key.slice(0, 5)) ??
      null
    );
  };
  return { version: ATTACK_VERSION, find, size: techniques.size };
}

export function loadAttackTable(folder: string): AttackTable {
  return parseAttackTable(readFileSync(join(folder, 'attack.tsv'), 'utf8'));
}

/** Sigma tags (`attack.t1059.001`) → technique ids of this edition, in order, each once. */
export function techniquesOf(tags: readonly string[], table: AttackTable): string[] {
  const found = new Set<string>();
  for (const tag of tags) {
    const id = /^attack\.(t\d{4}(?:\.\d{3})?)$/iu.exec(tag)?.[1];
    const technique = id === undefined ? null : table.find(id);
    if (technique !== null) found.add(technique.id);
  }
  return [...found];
}
