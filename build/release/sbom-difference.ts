/** Parts that two releases differ in, by their bills of materials. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareMaps, type MapDifference } from '../../server/installation/program-folder.ts';

export interface SbomDifference {
  /** The version compared with. */
  last: string;
  parts: MapDifference;
}

/** @param last folder of an earlier release @throws Error where it holds no bill of materials */
export function compareSboms(out: string, last: string): SbomDifference {
  const [before, now] = [read(last), read(out)];
  return { last: before.version, parts: compareMaps(before.parts, now.parts) };
}

interface CycloneDx {
  metadata: { component: { version: string } };
  components: { type: string; group?: string; name: string; version: string }[];
}

/** One name may be there in several versions, at several depths. */
function read(folder: string): { version: string; parts: Map<string, string> } {
  const file = join(folder, 'sbom.cdx.json');
  let bom: CycloneDx;
  try {
    bom = JSON.parse(readFileSync(file, 'utf8')) as CycloneDx;
  } catch {
    throw new Error(`${file} of the last release cannot be read.`);
  }
  const parts = new Map<string, string>();
  for (const { group, name, version } of bom.components) {
    const whole = group ? `${group}/${name}` : name;
    const known = parts.get(whole);
    const versions = new Set([...(known?.split(' and ') ?? []), version]);
    parts.set(whole, [...versions].sort().join(' and '));
  }
  return { version: bom.metadata.component.version, parts };
}
