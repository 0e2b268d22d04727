/** Landlock: which files a host reaches. Rules name places that are open; everything else is refused (EACCES). */
import { statSync } from 'node:fs';
import type { System } from '../system.ts';

export interface FileRules {
  reads: string[];
  writes: string[];
  /** Files to execute: the launcher's next program. */
  executes: string[];
  /** Device files and folders of such, to read, write and control. */
  devices: string[];
}

const calls = { createRuleset: 444, addRule: 445, restrictSelf: 446 };
const versionFlag = 1;
/** From this version on, all threads of the process can be restricted at once. */
const versionOfAllThreads = 8;
const allThreadsFlag = 1 << 3;
const pathBeneath = 1;

const right = {
  execute: 1,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  truncate: 1 << 14,
  control: 1 << 15,
};
const ofFiles = right.execute | right.writeFile | right.readFile | right.truncate | right.control;
const read = right.readFile | right.readFolder;
const write = (1 << 15) - 1 - right.execute - (1 << 6) - (1 << 9) - (1 << 10) - (1 << 11); // no devices, sockets, pipes

/** All rights of files that a version of Landlock knows. */
function handledRights(version: number): number {
  const known = [13, 14, 15, 15, 16][Math.min(version, 5) - 1] ?? 13;
  return 2 ** known - 1;
}

/** 0: this kernel has none, or it is switched off. */
export function landlockVersion(system: System): number {
  try {
    return system.call('landlock', calls.createRuleset, 0, 0, versionFlag);
  } catch {
    return 0;
  }
}

export interface Applied {
  /** False: this thread and those it starts, not those that were there. */
  allThreads: boolean;
  /** Places that stay open, since rules about them last only as long as the kernel remembers the place. */
  held: number[];
}

/** Needs no-new-privileges. @throws SystemError */
export function restrictFiles(system: System, version: number, rules: FileRules): Applied {
  const handled = handledRights(version);
  const attributes = new BigUint64Array([BigInt(handled), version >= 4 ? 3n : 0n, version >= 6 ? 3n : 0n]);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const bytes = new Uint8Array(attributes.buffer);
  const ruleset = system.call(
    'landlock_create_ruleset',
    calls.createRuleset,
    system.addressOf(bytes),
    size,
    0,
  );
  const held: number[] = [];
  const add = (paths: string[], rights: number) => {
    for (const path of new Set(paths)) {
      const place = addRule(system, ruleset, { path, rights: rights & handled });
      if (place !== null) held.push(place);
    }
  };
  add(rules.reads, read);
  add(rules.writes, read | write);
  add(rules.executes, right.readFile | right.execute);
  add(rules.devices, read | right.writeFile | right.control);
  const allThreads = version >= versionOfAllThreads;
  system.call('landlock_restrict_self', calls.restrictSelf, ruleset, allThreads ? allThreadsFlag : 0);
  system.close(ruleset);
  return { allThreads, held };
}

/** A path that is not there needs no rule. */
function addRule(system: System, ruleset: number, rule: { path: string; rights: number }): number | null {
  const place = system.openPath(rule.path);
  if (place === null) return null;
  const rights = statSync(rule.path).isDirectory() ? rule.rights : rule.rights & ofFiles;
  // struct landlock_path_beneath_attr is packed: 12 bytes.
  const attributes = new DataView(new ArrayBuffer(12));
  attributes.setBigUint64(0, BigInt(rights), true);
  attributes.setInt32(8, place, true);
  const address = system.addressOf(new Uint8Array(attributes.buffer));
  system.call('landlock_add_rule', calls.addRule, ruleset, pathBeneath, address, 0);
  if (rule.path === '/proc/self') return place;
  system.close(place);
  return null;
}
