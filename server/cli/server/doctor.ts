/** `lokal doctor`: what is here, what is missing and how to get it. Makes the data folder where there is none. */
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { sqliteVersion } from '../../db/sqlite-version.ts';
import { probeConfinement } from '../../hosts/confinement.ts';
import { type ProviderVerdict, probeKernels, probeProviders } from '../../hosts/providers.ts';
import { noModelsReason } from '../../platform.ts';
import { describeInstallKey } from '../../services/idempotency/install-key.ts';
import { StartError } from '../../start-error.ts';
import { version } from '../../version.ts';
import { type Command, table, text } from '../command.ts';
import { withPacks } from './data.ts';
import { writeSupportBundle } from './support-bundle.ts';

const help = `Usage: lokal doctor [--bundle FILE] [--json]

Shows versions, execution providers, the data folder, free memory and disk, and what is missing. Ends with code 1 when
something is missing, else with 0.

  --bundle FILE  write all that, the settings, the states of engine hosts and the latest failures into one file for
                 support: no payload, no key, no name of a document; read it before you pass it on`;

interface Finding {
  missing: string;
  remedy: string;
}

const leastFreeDiskMb = 1_024;
const leastFreeMemoryMb = 1_024;
const mebibyte = 1024 * 1024;
const require = createRequire(import.meta.url);

export const doctor: Command = {
  help,
  options: { bundle: { type: 'string' } },
  async run({ print, values }) {
    const config = readConfig();
    const folder = inspectFolder(config.home);
    const { roles, installKey, problem } = folder.writable ? await readStored(config.home) : nothingStored;
    const facts = {
      versions: {
        lokal: version,
        node: process.versions.node,
        onnxruntime: installedVersion('onnxruntime-node'),
        // SQLite's own, which the binding brings.
        sqlite: sqliteVersion(),
        electron: installedVersion('electron'),
      },
      // The package comes with npm ci, the binary with the first start that has a display.
      desktop_window: isThere('electron', 'path.txt'),
      platform: `${process.platform} ${process.arch}`,
      no_models: noModelsReason(),
      processors: availableParallelism(),
      memory_mb: { free: toMb(freemem()), total: toMb(totalmem()) },
      data_folder: folder,
      providers: await probeProviders(config.hostEnv),
      custom_kernels: await readKernels(config),
      confinement: await probeConfinement(config.hostEnv),
      install_key: installKey.state,
      roles,
      problem,
    };
    const missing = findMissing({ ...facts, keyProblem: installKey.problem }, config);
    const bundle = text(values.bundle);
    if (bundle !== undefined) await writeSupportBundle(bundle, { ...facts, missing });
    if (missing.length > 0) process.exitCode = 1;
    print({ ...facts, missing, ...(bundle !== undefined && { bundle }) }, [
      ...toLines(facts),
      '',
      ...describeMissing(missing),
      ...(bundle === undefined ? [] : ['', `Written to ${bundle}; nothing was sent.`]),
    ]);
  },
};

interface Facts {
  versions: Record<string, string | null>;
  desktop_window: boolean;
  platform: string;
  /** Why no model can run on this system, else null. */
  no_models: string | null;
  processors: number;
  memory_mb: { free: number; total: number };
  data_folder: { path: string; writable: boolean; free_mb: number | null };
  providers: ProviderVerdict[];
  /** Chat models run on custom kernels; `reason` says why on the runtime's, else null. */
  custom_kernels: { serve: boolean; family: string | null; reason: string | null };
  /** `on`, or why engine hosts are not fully confined here. */
  confinement: string;
  /** Fit of the installation's key with the database, in words. */
  install_key: string;
  roles: { role: string; pack: string | null }[];
  /** Why the data folder cannot be read. */
  problem: string | null;
}

/** The nearest folder that exists decides for one that is not there yet. */
function inspectFolder(path: string): Facts['data_folder'] {
  let nearest = path;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    const { bavail, bsize } = statfsSync(nearest);
    const free_mb = toMb(bavail * bsize);
    accessSync(nearest, constants.W_OK);
    return { path, writable: true, free_mb };
  } catch {
    return { path, writable: false, free_mb: null };
  }
}

async function readKernels(config: Config): Promise<Facts['custom_kernels']> {
  if (!config.customKernels) return { serve: false, family: null, reason: 'LOKAL_CUSTOM_KERNELS is off' };
  const { family, refusal } = await probeKernels(config.customKernels, config.hostEnv);
  return { serve: family !== null, family, reason: refusal };
}

interface Stored extends Pick<Facts, 'roles' | 'problem'> {
  installKey: { state: string; problem: string | null };
}

const nothingStored: Stored = {
  roles: [],
  installKey: { state: 'not checked', problem: null },
  problem: null,
};

/** A damaged database is what a doctor is asked about. */
async function readStored(home: string): Promise<Stored> {
  try {
    return await withPacks(async ({ packs, stores }) => ({
      roles: packs.overview().roles.map(({ role, pack }) => ({ role, pack })),
      installKey: await describeInstallKey(home, stores.sealedRecords),
      problem: null,
    }));
  } catch (error) {
    if (error instanceof StartError) return { ...nothingStored, problem: error.message };
    throw error;
  }
}

function findMissing(
  {
    data_folder,
    memory_mb,
    providers,
    roles,
    problem,
    keyProblem,
    no_models,
  }: Facts & { keyProblem: string | null },
  config: Config,
): Finding[] {
  const findings: [boolean, Finding][] = [
    [
      !data_folder.writable,
      {
        missing: 'a data folder that can be written',
        remedy: `LOKAL_HOME names another than ${config.home}`,
      },
    ],
    [
      problem !== null,
      { missing: 'a database that can be read', remedy: (problem ?? '').replace(/\.$/, '') },
    ],
    [
      keyProblem !== null,
      {
        missing: 'the key of what is sealed',
        remedy: `${keyProblem}; bring it back from a backup, or see lokal serve --help`,
      },
    ],
    [
      data_folder.free_mb !== null && data_folder.free_mb < leastFreeDiskMb,
      {
        missing: 'disk space (1 GB free is little)',
        remedy: 'free some, or move the data folder with LOKAL_HOME',
      },
    ],
    [
      memory_mb.free < leastFreeMemoryMb,
      { missing: 'free memory (1 GB free is little)', remedy: 'close other programs before loading a model' },
    ],
    [
      !providers.some(({ trusted }) => trusted.length > 0),
      {
        missing: 'the model runtime',
        remedy: no_models === null ? 'npm ci' : `another system. ${no_models.slice(0, -1)}`,
      },
    ],
    [
      !existsSync(join(config.folders.interface, 'index.html')),
      { missing: 'the built interface', remedy: 'npm start builds it; or npm run build' },
    ],
    ...roles.map(({ role, pack }): [boolean, Finding] => [
      pack === null,
      {
        missing: `a pack for ${role}`,
        remedy: `lokal packs import PATH, then lokal packs bind ${role} PACK`,
      },
    ]),
  ];
  return findings.filter(([applies]) => applies).map(([, finding]) => finding);
}

function toLines(facts: Facts): string[] {
  const { data_folder: folder, memory_mb: memory } = facts;
  return table([
    ...Object.entries(facts.versions).map(([name, found]) => [name, found ?? 'not installed']),
    ['window', facts.desktop_window ? 'ready' : 'no Electron binary: the interface opens in the browser'],
    ['platform', `${facts.platform}, ${facts.processors} processors`],
    ['memory', `${memory.free} MB free of ${memory.total} MB`],
    [
      'data folder',
      `${folder.path} (${folder.writable ? `${folder.free_mb} MB free` : 'cannot be written'})`,
    ],
    ['install-key', facts.install_key],
    ...facts.providers.map(({ provider, reason }) => [
      `provider ${provider}`,
      reason === null ? 'ready' : `not usable: ${reason}`,
    ]),
    ['engine hosts', facts.confinement === 'on' ? 'confined' : `not confined: ${facts.confinement}`],
    [
      'chat kernels',
      facts.custom_kernels.serve
        ? `custom (${facts.custom_kernels.family})`
        : `ONNX Runtime: ${facts.custom_kernels.reason}`,
    ],
    ...facts.roles.map(({ role, pack }) => [role, pack ?? 'no pack']),
  ]);
}

const describeMissing = (missing: Finding[]): string[] =>
  missing.length === 0
    ? ['Nothing is missing.']
    : missing.map((finding) => `Missing: ${finding.missing}. Remedy: ${finding.remedy}.`);

const findFile = (...path: [string, string]): string | undefined =>
  (require.resolve.paths(path[0]) ?? []).map((folder) => join(folder, ...path)).find(existsSync);

const isThere = (name: string, file: string): boolean => findFile(name, file) !== undefined;

function installedVersion(name: string): string | null {
  try {
    const file = findFile(name, 'package.json');
    return file ? (JSON.parse(readFileSync(file, 'utf8')).version as string) : null;
  } catch {
    return null;
  }
}

const toMb = (bytes: number) => Math.floor(bytes / mebibyte);
