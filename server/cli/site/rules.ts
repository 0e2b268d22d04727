/** `lokal rules`: the Sigma rules of svc-guard-max, also while the server runs. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { RuleImport, RuleList } from '../../api/console/rules.ts';
import { isRuleName, type RuleArchive, readRuleArchive } from '../../services/console/rule-archive.ts';
import type { RuleService } from '../../services/console/rules.ts';
import type { DocumentSignature } from '../../signing/document.ts';
import { signatureSuffix, verifyFile } from '../../signing/file.ts';
import { fingerprint } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { actionOf, type Command, type CommandInput, required, table } from '../command.ts';
import { withPacks } from '../server/data.ts';

const help = `Usage: lokal rules list
       lokal rules import PATH
       lokal rules enable ID...
       lokal rules disable ID...
       lokal rules clear

The Sigma rules by which svc-guard-max judges logs. PATH is a .yml file, a zip or a folder of them; a file of a name seen
before replaces it. Where a zip has its FILE.sig beside it (lokal sign), that is checked first.
Errors are listed per file; the other files are kept, and where none is left the command ends with code 1. A rule
with the id of one of ours stands in for it. clear forgets all imported rules.

  --json   print one line of JSON
  --help   this text`;

export const rules: Command = {
  help,
  options: {},
  async run(input) {
    const action = actionOf(actions, input);
    const abort = new AbortController();
    process.once('SIGINT', () => abort.abort(new StartError('Stopped.')));
    await action(input, abort.signal);
  },
};

type Action = (input: CommandInput, signal: AbortSignal) => Promise<void>;

const withRules = <T>(work: (service: RuleService) => Promise<T>): Promise<T> =>
  withPacks((opened) => work(opened.rules));

const actions: Record<string, Action> = {
  async list({ print }, signal) {
    const list = await withRules((service) => service.list(signal));
    print(list, toLines(list));
  },

  async import(input, signal) {
    const archive = await readPath(resolve(required(input, 1, 'PATH')));
    const result = await withRules((service) => service.import(archive.files, signal));
    const whole: RuleImport = { ...result, errors: [...archive.errors, ...result.errors] };
    input.print(whole, [
      `${whole.rules} rule(s) from ${whole.files} file(s) imported.`,
      ...(archive.signature ? [signedBy(archive.signature)] : []),
      ...whole.errors.map(({ file, message }) => `${file}: ${message}`),
    ]);
    if (whole.files === 0) process.exitCode = 1;
  },

  enable: (input, signal) => setEnabled(input, true, signal),
  disable: (input, signal) => setEnabled(input, false, signal),

  async clear({ print }) {
    await withRules((service) => service.clear());
    print({ ok: true }, ['The imported rules are gone.']);
  },
};

const signedBy = ({ signer, public_key: key }: DocumentSignature): string =>
  `The archive is signed by ${JSON.stringify(signer)} (${fingerprint(key)}).`;

async function setEnabled(input: CommandInput, enabled: boolean, signal: AbortSignal): Promise<void> {
  required(input, 1, 'ID');
  const ids = input.positionals.slice(1);
  await withRules((service) => service.switch(ids, enabled, signal));
  input.print({ ids, enabled }, [`${ids.length} rule(s) ${enabled ? 'on' : 'off'}.`]);
}

interface SignedArchive extends RuleArchive {
  /** Of a FILE.sig beside it; null where there is none. */
  signature: DocumentSignature | null;
}

/** @throws StartError when the signature beside it is not its own */
const verifyArchive = (path: string): Promise<DocumentSignature> =>
  verifyFile(path).catch((error: Error) => {
    throw new StartError(`Not imported: ${error.message}.`);
  });

/** @throws StartError when nothing there can be a rule */
async function readPath(path: string): Promise<SignedArchive> {
  const info = await stat(path).catch(() => null);
  if (!info) throw new StartError(`${path} is not there.`);
  if (info.isFile() && extname(path).toLowerCase() === '.zip') {
    // The signature first: what was swapped is not even read.
    const signature = existsSync(path + signatureSuffix) ? await verifyArchive(path) : null;
    return { ...(await readRuleArchive(await readFile(path))), signature };
  }
  const names = info.isFile() ? [''] : (await readdir(path, { recursive: true })).filter(isRuleName).sort();
  if (names.length === 0 || (info.isFile() && !isRuleName(path)))
    throw new StartError('There is no .yml file and no zip at this path.');
  const files = names.map(async (name) => ({
    name: name || basename(path),
    text: await readFile(join(path, name), 'utf8'),
  }));
  return { files: await Promise.all(files), errors: [], signature: null };
}

function toLines({ data }: RuleList): string[] {
  const rows = data.map((rule) => [
    rule.id,
    rule.enabled ? 'on' : 'off',
    rule.level,
    rule.origin,
    rule.techniques.join(' '),
    rule.title,
  ]);
  return table([['ID', 'STATE', 'LEVEL', 'FROM', 'TECHNIQUES', 'TITLE'], ...rows]);
}
