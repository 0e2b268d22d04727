/** `lokal audit`: the record of administrative acts, also while the server runs. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import type { AuditLine } from '../../db/journal/audit.ts';
import { whyUnread } from '../../read-failure.ts';
import {
  findDifference,
  type ReadExport,
  readExport,
  writeExport,
} from '../../services/audit/audit-export.ts';
import { type AuditLog, createAuditLog } from '../../services/audit/audit-log.ts';
import { SignatureError } from '../../signing/document.ts';
import { fingerprint, installSigningKey } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { actionOf, type Command, type CommandInput, lastOf, required, table } from '../command.ts';
import { withStores } from '../server/data.ts';
import { writeOutput } from '../write-output.ts';

const help = `Usage: lokal audit list [--last N]
       lokal audit export FILE
       lokal audit verify [FILE]

Every change of keys, settings, packs, rules, sessions, templates and trusted signers: who, when, what. verify finds a line
that was removed, changed, added or moved; with FILE, an earlier export, it also finds what the log has lost since.

  --last N   so many lines (default 50)
  --json     print one line of JSON
  --help     this text`;

export const audit: Command = {
  help,
  options: { last: { type: 'string' } },
  run: (input) =>
    withStores((stores, config) =>
      actionOf(actions, input)(createAuditLog(stores.audit, Date.now), input, config),
    ),
};

const actions: Record<string, (log: AuditLog, input: CommandInput, config: Config) => void> = {
  list(log, input) {
    const data = log.lines(lastOf(input));
    const lines = data.length > 0 ? table([head, ...data.map(toRow)]) : ['Nothing was changed yet.'];
    input.print({ object: 'list', data }, lines);
  },

  export(log, input, { home }) {
    const file = resolve(required(input, 1, 'FILE'));
    const lines = log.lines();
    try {
      writeOutput(file, writeExport(lines, installSigningKey(home)), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
    input.print({ file, lines: lines.length }, [`${lines.length} line(s) are in ${file}.`]);
  },

  verify(log, input) {
    const lines = log.lines();
    const problem = log.findBreak();
    if (problem) throw new StartError(`The audit log is not whole: ${problem}.`);
    const whole = `The audit log is whole: ${lines.length} line(s).`;
    const file = input.positionals[1];
    if (file === undefined) return input.print({ whole: true, lines: lines.length }, [whole]);
    const exported = readFile(file);
    const difference = findDifference(exported.lines, lines);
    if (difference) throw new StartError(`The export is whole, but ${difference}.`);
    const { signer, signed, public_key: key } = exported.signature;
    const count = exported.lines.length;
    input.print({ whole: true, lines: lines.length, export: { lines: count, signer, signed, key } }, [
      whole,
      `The export of ${signed} is whole, and the log goes on from it: ${count} line(s), signed by ${signer} (${fingerprint(key)}).`,
    ]);
  },
};

const head = ['LINE', 'TIME', 'WHO', 'WHAT', 'TO', 'CHANGES'];

const toRow = ({ sequence, time_ms, actor, action, target, changes }: AuditLine): string[] => [
  String(sequence),
  new Date(time_ms).toISOString(),
  actor,
  action,
  target ?? '-',
  JSON.stringify(changes),
];

/** @throws StartError in one line */
function readFile(file: string): ReadExport {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} ${whyUnread(error)}.`);
  }
  try {
    return readExport(content);
  } catch (error) {
    if (error instanceof SignatureError) throw new StartError(`${file} is not whole: ${error.message}.`);
    throw error;
  }
}
