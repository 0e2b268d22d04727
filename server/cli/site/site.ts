/** `lokal site`: one installation as the model of others, carried in one signed file. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import type { Stores } from '../../db/stores.ts';
import { readSiteContent, type SiteDifference } from '../../installation/site-content.ts';
import { type SitePart, siteSuffix, writeSiteFile } from '../../installation/site-file.ts';
import { bundleSuffix } from '../../packs/bundle.ts';
import { signatureSuffix, verifyFile } from '../../signing/file.ts';
import { fingerprint, installSigningKey, readKeyFile, type SigningKey } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { version } from '../../version.ts';
import { actionOf, type Command, type CommandInput, required, text, UsageError } from '../command.ts';
import { openOwnPacks, withStores } from '../server/data.ts';
import { applySite, contentName, programFolder } from './site-apply.ts';

const help = `Usage: lokal site export FILE [--sign KEYFILE] [--program ARCHIVE]
       lokal site apply FILE [--trial] [--without-program]

FILE is a ${siteSuffix}: imported packs, which role each fills, rules, templates, settings with their policy (signed packs only,
sealed, confinement) and the signers that are trusted. It is signed by KEYFILE, else by this installation's own key, and so are
packs that nobody signed. --program takes a release's archive along, with its ARCHIVE${signatureSuffix}. No API key, usage or secret is in it;
memory and threads stay each machine's own.

apply takes FILE from a signer of \`lokal trust\`. It is tried on a copy of the data first, then all of it is done or nothing;
the server must be stopped. Records are added, or replaced by name; nothing is removed. A program in it comes last, as by
\`lokal update\`.

  --trial             stop after the trial, with the differences shown
  --without-program   leave this program as it is
  --json              print one line of JSON
  --help              this text`;

export const site: Command = {
  help,
  options: {
    sign: { type: 'string' },
    program: { type: 'string' },
    trial: { type: 'boolean' },
    'without-program': { type: 'boolean' },
  },
  run: (input) => actionOf(actions, input)(input, resolve(required(input, 1, 'FILE'))),
};

const actions: Record<string, (input: CommandInput, file: string) => Promise<void>> = {
  async export(input, file) {
    if (!file.endsWith(siteSuffix)) throw new UsageError(`FILE ends with ${siteSuffix}`);
    if (existsSync(file)) throw new StartError(`${file} is there already.`);
    await withStores((stores, config) => exportSite(file, { input, stores, config }));
  },

  async apply(input, file) {
    const { home } = readConfig();
    const applied = await applySite(file, {
      home,
      trial: input.values.trial === true,
      withProgram: input.values['without-program'] !== true,
    });
    const { difference, signer, program } = applied;
    input.print(applied, [
      `${basename(file)}, signed by ${signer}:`,
      ...toLines(difference),
      ...(program ? [`Program: Lokal ${program.from} → ${program.to}.`] : []),
      applied.applied ? 'All of it is applied.' : 'It was tried on a copy of the data; nothing was changed.',
    ]);
  },
};

async function exportSite(
  file: string,
  { input, stores, config }: { input: CommandInput; stores: Stores; config: Config },
): Promise<void> {
  const keyFile = text(input.values.sign);
  const key = keyFile === undefined ? installSigningKey(config.home) : readKeyFile(resolve(keyFile));
  const program = text(input.values.program);
  // Beside the file: packs are too large for a small temporary folder.
  const work = mkdtempSync(join(dirname(file), '.site-'));
  const opened = await openOwnPacks(stores, config);
  try {
    const parts = [
      ...(await collectParts(opened, key, work)),
      ...(program === undefined ? [] : await programParts(resolve(program))),
    ];
    await writeSiteFile(file, { lokal: version, parts, key });
    const files = parts.map(({ path }) => path);
    opened.audit.record({ action: 'site.export', changes: { files: files.length, signer: key.name } });
    input.print({ file, files, signer: key.name, public_key: key.publicKey }, [
      `${file} is signed by ${key.name} (${fingerprint(key.publicKey)}). It holds:`,
      ...files.map((path) => `  ${path}`),
      `Who takes it runs: lokal trust add ${key.publicKey} --name ${JSON.stringify(key.name)}`,
    ]);
  } finally {
    await opened.close();
    rmSync(work, { recursive: true, force: true });
  }
}

async function collectParts(
  opened: Awaited<ReturnType<typeof openOwnPacks>>,
  key: SigningKey,
  work: string,
): Promise<SitePart[]> {
  const content = join(work, contentName);
  writeFileSync(content, `${JSON.stringify(readSiteContent(opened), null, 2)}\n`, { mode: 0o600 });
  const parts: SitePart[] = [{ path: contentName, file: content }];
  for (const { ref, removable, signature } of opened.packs.overview().packs) {
    if (!removable) continue;
    if (signature?.state === 'wrong')
      throw new StartError(`Not exported: ${ref} was changed after it was signed.`);
    const file = join(work, `${ref}${bundleSuffix}`);
    await opened.packs.export(ref, file, signature?.state === 'unsigned' ? key : undefined);
    parts.push({ path: `packs/${ref}${bundleSuffix}`, file });
  }
  return parts;
}

async function programParts(archive: string): Promise<SitePart[]> {
  await verifyFile(archive).catch((error: Error) => {
    throw new StartError(`Not exported: ${error.message}.`);
  });
  const path = `${programFolder}/${basename(archive)}`;
  return [
    { path, file: archive },
    { path: path + signatureSuffix, file: archive + signatureSuffix },
  ];
}

function toLines(difference: SiteDifference): string[] {
  const { settings, signers, packs, rule_files: files, rules_off: rules, templates, bindings } = difference;
  const list = (title: string, names: string[]) =>
    names.length > 0 ? [`${title}: ${names.join(', ')}.`] : [];
  const lines = [
    ...Object.entries(settings).map(
      ([name, { from, to }]) => `Setting ${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}.`,
    ),
    ...list('Signers added', signers),
    ...list('Packs added', packs),
    ...(files.added + files.replaced > 0
      ? [`Rule files: ${files.added} added, ${files.replaced} replaced.`]
      : []),
    ...list('Rules switched off', rules.off),
    ...list('Rules switched on', rules.on),
    ...list('Templates added', templates.added),
    ...list('Templates replaced', templates.replaced),
    ...bindings.map(
      ({ role, task, from, to }) =>
        `${task ? `${task} of ${role}` : role}: ${from ?? 'starter'} → ${to ?? 'none'}.`,
    ),
  ];
  return lines.length > 0 ? lines : ['No records differ.'];
}
