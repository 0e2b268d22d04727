/**
 * A site applied to this installation: verified → unpacked → tried on a copy of the data → packs moved into place → records in
 * one transaction → the program last. What fails on the way leaves the installation as it was.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { lockDataFolder, prepareDataFolder } from '../../db/data-folder.ts';
import { openDatabase } from '../../db/open.ts';
import { createStores, type Stores } from '../../db/stores.ts';
import { type BackupManifest, bringBack, writeBackup } from '../../installation/backup-folder.ts';
import { type ProgramDifference, refuseOtherInstallation } from '../../installation/program-folder.ts';
import {
  applyPolicy,
  applyRecords,
  compareSite,
  parseSiteContent,
  type SiteContent,
  type SiteDifference,
} from '../../installation/site-content.ts';
import { readSiteHead, type SiteHead, unpackSite } from '../../installation/site-file.ts';
import { type StagedUpdate, stageUpdate } from '../../installation/update.ts';
import { bundleSuffix } from '../../packs/bundle.ts';
import { readPackHead } from '../../packs/signature.ts';
import { hashFile } from '../../packs/verify.ts';
import { whyUnread } from '../../read-failure.ts';
import type { Signed } from '../../signing/document.ts';
import { signatureSuffix, verifyFileStatement } from '../../signing/file.ts';
import { fingerprint } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { openOwnPacks, withStores } from '../server/data.ts';
import { toInstallation } from '../server/update.ts';
import { openTrust } from '../trust/trust.ts';
import { knownAs } from '../trust/verify.ts';

export const contentName = 'content.json';
export const programFolder = 'program';
const workPrefix = '.site-';

export interface SiteApplied {
  signer: string;
  difference: SiteDifference;
  program: ProgramDifference | null;
  /** False after a trial. */
  applied: boolean;
}

export interface ApplyOptions {
  home: string;
  trial: boolean;
  withProgram: boolean;
}

/** @throws StartError in one line; the installation is as it was then */
export async function applySite(file: string, options: ApplyOptions): Promise<SiteApplied> {
  const { home } = options;
  prepareDataFolder(home);
  const unlock = lockDataFolder(home);
  // Of a run that was killed.
  for (const name of readdirSync(home).filter((each) => each.startsWith(workPrefix)))
    rmSync(join(home, name), { recursive: true, force: true });
  const work = mkdtempSync(join(home, workPrefix));
  const undo: (() => void)[] = [];
  try {
    return await withStores((stores, config) => applyUnpacked(file, options, { stores, config, work, undo }));
  } catch (error) {
    // The database is closed by now.
    for (const step of undo.reverse()) step();
    throw toReason(error);
  } finally {
    rmSync(work, { recursive: true, force: true });
    unlock();
  }
}

interface Site {
  stores: Stores;
  config: Config;
  /** A folder of this run alone. */
  work: string;
  /** Steps back, latest last. */
  undo: (() => void)[];
}

async function applyUnpacked(
  file: string,
  { trial, withProgram }: ApplyOptions,
  site: Site,
): Promise<SiteApplied> {
  const { stores, config, work, undo } = site;
  const head = await readSiteHead(file);
  const signer = knownAs(openTrust(stores), head.signature, config.home);
  if (signer === null)
    throw new Error(
      `it is signed by a key that is not trusted (${fingerprint(head.signature.public_key)}); lokal trust add takes it`,
    );
  await unpackSite(file, head, join(work, 'site'));
  const content = parseSiteContent(readFileSync(join(work, 'site', contentName), 'utf8'));
  const program = withProgram ? await stageProgram(head, content, site) : null;
  try {
    const packs = newPacks(head, site);
    const backup = await writeBackup(config.home, join(work, 'backup'), { packs: false });
    await rehearse(head, content, { ...site, backup });
    const difference = await withOwn(stores, config, (opened) => compareSite(content, opened, packs));
    const result = { signer, difference, program: program?.difference ?? null };
    if (trial) {
      await program?.discard();
      return { ...result, applied: false };
    }
    undo.push(() => bringBack(join(work, 'backup'), config.home, backup));
    await applyForGood(content, { ...site, packs, signer });
    await program?.install();
    return { ...result, applied: true };
  } catch (error) {
    await program?.discard();
    throw error;
  }
}

/** Refs that are not installed here. */
const newPacks = ({ files }: SiteHead, { config }: Site): string[] =>
  refsOf(files).filter((ref) => !existsSync(join(config.home, 'packs', ref)));

const refsOf = (files: SiteHead['files']): string[] =>
  files
    .filter(({ path }) => path.startsWith('packs/'))
    .map(({ path }) => path.slice('packs/'.length, -bundleSuffix.length));

type Opened = Awaited<ReturnType<typeof openOwnPacks>>;

async function withOwn<T>(
  stores: Stores,
  config: Config,
  work: (opened: Opened) => T | Promise<T>,
): Promise<T> {
  const opened = await openOwnPacks(stores, config);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** All of it in a data folder of its own: packs are loaded once, rules read, records written. */
async function rehearse(
  head: Signed<SiteHead>,
  content: SiteContent,
  { config, work, backup }: Site & { backup: BackupManifest },
): Promise<void> {
  const home = join(work, 'trial');
  mkdirSync(home, { mode: 0o700 });
  bringBack(join(work, 'backup'), home, backup);
  const db = openDatabase(join(home, 'lokal.db'));
  const { signal } = new AbortController();
  try {
    await withOwn(createStores(db), { ...config, home }, async (opened) => {
      applyPolicy(content, opened);
      for (const ref of refsOf(head.files)) {
        const path = join(work, 'site', 'packs', `${ref}${bundleSuffix}`);
        const pack = await opened.packs.import({ path }, { signal });
        if (pack.ref !== ref) throw new Error(`${ref} is ${pack.ref} inside`);
        await refuseOtherContent(ref, { installed: config.home, tried: home });
      }
      const { errors } =
        content.rules.files.length > 0
          ? await opened.rules.import(content.rules.files, signal)
          : { errors: [] };
      if (errors[0]) throw new Error(`the rule file ${errors[0].file} is wrong: ${errors[0].message}`);
      applyRecords(content, opened);
    });
  } finally {
    db.close();
  }
}

async function refuseOtherContent(ref: string, homes: { installed: string; tried: string }): Promise<void> {
  const [installed, tried] = [homes.installed, homes.tried].map((home) =>
    join(home, 'packs', ref, 'manifest.json'),
  ) as [string, string];
  if (existsSync(installed) && (await hashFile(installed)) !== (await hashFile(tried)))
    throw new Error(`${ref} is installed here with other content; lokal packs remove ${ref} makes room`);
}

async function applyForGood(
  content: SiteContent,
  { stores, config, work, undo, packs, signer }: Site & { packs: string[]; signer: string },
): Promise<void> {
  const imported = join(config.home, 'packs');
  mkdirSync(imported, { recursive: true });
  for (const ref of packs) {
    const target = join(imported, ref);
    renameSync(join(work, 'trial', 'packs', ref), target);
    undo.push(() => rmSync(target, { recursive: true, force: true }));
  }
  await withOwn(stores, config, (opened) =>
    stores.atomically(() => {
      applyPolicy(content, opened);
      for (const ref of packs) {
        const head = readPackHead(join(imported, ref));
        opened.trust.note(head);
        const changes = { publisher: head.manifest.publisher, licence: head.manifest.licence };
        opened.audit.record({ action: 'pack.import', target: ref, changes });
      }
      applyRecords(content, opened);
      opened.audit.record({ action: 'site.apply', changes: { signer, packs: packs.length } });
    }),
  );
}

/** null where the site brings none. @throws StartError when it is not signed by a signer of the list or of the site's */
async function stageProgram(
  { files }: SiteHead,
  content: SiteContent,
  { stores, config, work }: Site,
): Promise<StagedUpdate | null> {
  const part = files.find(
    ({ path }) => path.startsWith(`${programFolder}/`) && !path.endsWith(signatureSuffix),
  );
  if (!part) return null;
  const file = join(work, 'site', part.path);
  const { signature, statement } = await verifyFileStatement(file);
  const isKnown =
    knownAs(openTrust(stores), signature, config.home) !== null ||
    content.trust.some(({ public_key: key }) => key === signature.public_key);
  if (!isKnown)
    throw new Error(
      `its program is signed by a key that is not trusted (${fingerprint(signature.public_key)})`,
    );
  const installation = toInstallation(config);
  refuseOtherInstallation(resolve(installation.root));
  return stageUpdate({ file, sha256: statement.sha256 }, installation, { allowOlder: false });
}

function toReason(error: unknown): unknown {
  if (error instanceof StartError) return error;
  const { message, path } = error as NodeJS.ErrnoException;
  if (path) return new StartError(`Not applied: ${path} ${whyUnread(error)}.`);
  return new StartError(`Not applied: ${message.replace(/\.$/, '')}.`);
}
