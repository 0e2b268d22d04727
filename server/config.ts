/** The only reader of the environment: what a command was given, as a checked configuration. */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { type CustomKernels, kernelFamilies } from './engine/engine.ts';
import { whyUnread } from './read-failure.ts';
import { StartError } from './start-error.ts';

/** Options of `lokal serve`, as parsed from the command line. */
export interface ServeOptions {
  port?: string;
  host?: string;
  'host-name'?: string[];
  'insecure-lan'?: boolean;
  'tls-cert'?: string;
  'tls-key'?: string;
  engines?: string;
  'new-install-key'?: boolean;
}

export interface Config {
  /** The data folder. */
  home: string;
  port: number;
  host: string;
  /** Names under which the server may be addressed, besides the loopback ones. */
  hostNames: string[];
  tls: { cert: Buffer; key: Buffer } | null;
  logLevel: string;
  /** A file of remote engines, for machines that nobody sits at. */
  enginesFile: string | null;
  /** A key's secret to accept from the first start on, for machines that nobody sits at. */
  bootstrapKey: string | null;
  /** A key of the installation that is lost or foreign is replaced; without it, it stops the start. */
  newInstallKey: boolean;
  /** Chat's quantized matrix products run on custom kernels where these serve. */
  customKernels: CustomKernels;
  /** The whole environment, for a program that is started in this one's place. */
  env: NodeJS.ProcessEnv;
  /** The environment that engine hosts get to see. */
  hostEnv: NodeJS.ProcessEnv;
  /** The environment of programs that the person has started for the chat: no credentials either. */
  programEnv: NodeJS.ProcessEnv;
  folders: { root: string; interface: string; starterPacks: string };
  /** Folders in which other programs keep models. */
  modelCaches: { ollama: string[]; lmStudio: string[]; huggingFace: string[] };
  /** The folder of onnxruntime's device id and queue of events, from before its telemetry was switched off. */
  telemetryFolder: string;
}

export const defaultPort = 8787;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** Enough for a process to run and find its temporary folder, libraries and graphics drivers; no credentials. */
const surroundings = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'LANG',
  'LC_ALL',
];
const graphics = ['VK_ICD_FILENAMES', 'VK_DRIVER_FILES', 'CUDA_VISIBLE_DEVICES'];
const passedOn = [...surroundings, ...graphics, 'LOKAL_CONFINEMENT'];

const pick = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** `LOKAL_OWN_PRODUCTS` is the former name of the variable, read on. */
export function readCustomKernels(env: NodeJS.ProcessEnv): CustomKernels {
  const asked = (env.LOKAL_CUSTOM_KERNELS ?? env.LOKAL_OWN_PRODUCTS ?? '').toLowerCase();
  if (/^(off|false|no|0)$/.test(asked)) return false;
  return kernelFamilies.find((family) => family === asked) ?? true;
}

/** @throws StartError naming the option that is wrong */
export function readConfig(options: ServeOptions = {}, env: NodeJS.ProcessEnv = process.env): Config {
  // Both loopback addresses.
  const host = options.host ?? 'localhost';
  const tls = readTls(options);
  if (!isLoopback(host) && !tls && !options['insecure-lan']) {
    throw new StartError(
      `Listening on ${host} lets others on the network reach Lokal: give --tls-cert and --tls-key, or --insecure-lan to go without.`,
    );
  }
  return {
    home: dataFolder(env),
    port:
      options.port === undefined ? readPort(env.LOKAL_PORT, 'LOKAL_PORT') : readPort(options.port, '--port'),
    host,
    hostNames: [...(options['host-name'] ?? []), ...(isAnyAddress(host) ? [] : [toHostName(host)])],
    tls,
    logLevel: readLogLevel(env.LOKAL_LOG),
    enginesFile: options.engines ?? env.LOKAL_ENGINES ?? null,
    bootstrapKey: env.LOKAL_BOOTSTRAP_KEY ?? null,
    newInstallKey: options['new-install-key'] ?? false,
    customKernels: readCustomKernels(env),
    env,
    programEnv: pick(env, surroundings),
    hostEnv: {
      ...pick(env, passedOn),
      // onnxruntime reports to its maker unless this is set before it is loaded.
      ORT_DISABLE_TELEMETRY: '1',
    },
    folders: findFolders(),
    modelCaches: findModelCaches(env),
    telemetryFolder: telemetryFolder(env),
  };
}

/** `LOKAL_HOME`, else the platform's folder for application data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.LOKAL_HOME) return resolve(env.LOKAL_HOME);
  const home = env.HOME || homedir();
  if (process.platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Lokal');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Lokal');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'lokal');
}

/** The places that the programs' own documentation names, for every system at once: one that is not there holds nothing. */
function findModelCaches(env: NodeJS.ProcessEnv): Config['modelCaches'] {
  const home = env.HOME || homedir();
  const caches = env.XDG_CACHE_HOME || join(home, '.cache');
  return {
    ollama: env.OLLAMA_MODELS
      ? [env.OLLAMA_MODELS]
      : [join(home, '.ollama', 'models'), '/usr/share/ollama/.ollama/models'],
    lmStudio: [join(home, '.lmstudio', 'models'), join(caches, 'lm-studio', 'models')],
    huggingFace: [env.HF_HUB_CACHE || join(env.HF_HOME || join(caches, 'huggingface'), 'hub')],
  };
}

function telemetryFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME || homedir();
  const cache =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : env.XDG_CACHE_HOME || join(home, '.cache');
  return join(cache, 'Microsoft', 'DeveloperTools', '.onnxruntime');
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** As a URL and a Host header write it. */
export const toHostName = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function readPort(text: string | undefined, source: string): number {
  if (text === undefined) return defaultPort;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new StartError(`${source} must be 0 to 65535, not “${text}”.`);
  return port;
}

function readLogLevel(text: string | undefined): string {
  if (text === undefined) return 'warn';
  if (!logLevels.includes(text)) throw new StartError(`LOKAL_LOG must be one of ${logLevels.join(', ')}.`);
  return text;
}

function readTls(options: ServeOptions): Config['tls'] {
  const { 'tls-cert': cert, 'tls-key': key } = options;
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) throw new StartError('--tls-cert and --tls-key go together.');
  const pair = { cert: readFile(cert, '--tls-cert'), key: readFile(key, '--tls-key') };
  try {
    createSecureContext(pair);
  } catch {
    throw new StartError('--tls-cert and --tls-key are not a certificate and its own key, both in PEM.');
  }
  return pair;
}

function readFile(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${option}: ${path} ${whyUnread(error)}.`);
  }
}

/**
 * This file is server/config.ts in source and dist/server/config.js compiled; the rest lies relative to the root. Native
 * code opens the packs, and cannot read inside Electron's archive: the packager puts them beside it.
 */
export function findFolders(here: string = import.meta.url): Config['folders'] {
  const root = fileURLToPath(new URL(here.endsWith('.js') ? '../../' : '../', here));
  const beside = root.replace(/([\\/]app\.asar)(?=[\\/]$)/, '$1.unpacked');
  return {
    root,
    interface: join(root, 'dist', 'renderer'),
    starterPacks: join(beside, 'models', 'packs'),
  };
}
