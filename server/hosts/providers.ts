/**
 * Which execution providers this machine can be trusted with. Each is tried once in a throw-away process that loads tiny
 * models and compares with the CPU (engine/onnx/providers/probe.ts): a bad driver takes that process down, not the server. The answer
 * is kept in the data folder until the runtime, the system, the processor or the driver changes.
 */

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EngineKind } from '../engine/contract.ts';
import type { CustomKernels, EngineInfo, KernelFamily } from '../engine/engine.ts';

export interface ProviderVerdict {
  provider: string;
  /** Kinds of graph it may run: `encoder`, `chat`. */
  trusted: string[];
  /** Why not, in one line; null where it serves all kinds. */
  reason: string | null;
}

const probeEntry = fileURLToPath(
  new URL(`../engine/onnx/providers/probe.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);
const probeLimitMs = 60_000;
const run = promisify(execFile);

/** Tries every provider that the runtime was built with, best first; the CPU is always the last and trusted. */
export async function probeProviders(env: NodeJS.ProcessEnv): Promise<ProviderVerdict[]> {
  const listed = await probe<{ order: string[] }>([], env);
  const verdicts: ProviderVerdict[] = [];
  for (const provider of listed?.order ?? ['cpu']) verdicts.push(await judge(provider, env));
  return verdicts;
}

async function judge(provider: string, env: NodeJS.ProcessEnv): Promise<ProviderVerdict> {
  const report = await probe<{ trusted: string[]; refused: Record<string, string> }>([provider], env);
  if (!report) return { provider, trusted: [], reason: 'its process crashed or took too long' };
  const [detail] = Object.values(report.refused);
  return { provider, trusted: report.trusted, reason: detail === undefined ? null : lastSentence(detail) };
}

interface KernelReport {
  family: KernelFamily | null;
  refusal: string | null;
}

/** The family of custom kernels that serves here, or why none does. */
export async function probeKernels(
  asked: true | KernelFamily,
  env: NodeJS.ProcessEnv,
): Promise<KernelReport> {
  const refusal = 'its process crashed; LOKAL_CUSTOM_KERNELS=off goes without it';
  const argument = asked === true ? 'kernels' : `kernels:${asked}`;
  return (await probe<KernelReport>([argument], env)) ?? { family: null, refusal };
}

/** Bytes a second at which all processors together read memory; null: its process crashed. Takes a second and 512 MB. */
export async function probeReadBandwidth(env: NodeJS.ProcessEnv): Promise<number | null> {
  return (await probe<{ bytesPerSecond: number }>(['bandwidth'], env))?.bytesPerSecond ?? null;
}

/** Native messages begin with source places; what a person can use comes last. */
const lastSentence = (detail: string): string =>
  (detail.trim().split('\n').at(-1) ?? '')
    .split(/ was false\. |: /)
    .at(-1)!
    .slice(0, 200);

/** Why better providers do not serve, from what an engine tells of itself; null: none was refused. */
export function refusalOf(refused: NonNullable<EngineInfo['refusedProviders']>): string | null {
  if (refused.length === 0) return null;
  return refused.map(({ provider, detail }) => `${provider}: ${lastSentence(detail)}`).join('; ');
}

async function probe<T>(args: string[], env: NodeJS.ProcessEnv): Promise<T | null> {
  try {
    const { stdout } = await run(process.execPath, [probeEntry, ...args], {
      env,
      timeout: probeLimitMs,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as T;
  } catch {
    return null;
  }
}

/** A verdict depends on these. */
function signature(runtimeVersion: string, processor: string): string {
  let driver = '';
  try {
    driver = readFileSync('/proc/driver/nvidia/version', 'utf8').split('\n')[0] ?? '';
  } catch {
    // no such driver here
  }
  return [runtimeVersion, process.platform, process.arch, release(), processor, driver].join(' ');
}

export interface ProviderList {
  /** Providers to offer an engine, best first; the CPU alone until the probe is done. */
  for(kind: EngineKind): string[];
  verdicts(): ProviderVerdict[];
  /** Custom kernels to offer an engine: those asked for where they are at home, elsewhere once a throw-away process came through. */
  kernels(): CustomKernels;
  /** Reads the kept verdicts, or probes and keeps them. Never throws: without an answer the CPU serves. */
  load(): Promise<void>;
  /** Of what is kept, the kernels alone, or tries and keeps them: for commands, which offer no providers. Never throws. */
  loadKernels(): Promise<void>;
}

const graphOf: Partial<Record<EngineKind, string>> = {
  chat: 'chat',
  embeddings: 'encoder',
  images: 'encoder',
  moderation: 'encoder',
};

/** The answers of a probe; of a command's, the kernels alone. */
interface Verdicts {
  verdicts?: ProviderVerdict[];
  kernels?: KernelTrial;
}

/** The kernels that were tried, and whether their process lived to say that they serve. */
interface KernelTrial {
  asked: CustomKernels;
  serve: boolean;
}

/** Systems on which kernels were run by real processors; on the others by emulators at best. */
const kernelsAtHome = (platform: NodeJS.Platform, arch: string) => platform === 'linux' && arch === 'x64';

export function createProviderList(options: {
  home: string;
  runtimeVersion: string;
  env: NodeJS.ProcessEnv;
  /** Default true. */
  customKernels?: CustomKernels;
  system?: { platform: NodeJS.Platform; arch: string };
  /** By its own name; default this one's. */
  processor?: string;
}): ProviderList {
  const path = join(options.home, 'providers.json');
  const { customKernels: asked = true, processor = cpus()[0]?.model ?? '', system = process } = options;
  const current = signature(options.runtimeVersion, processor);
  const atHome = kernelsAtHome(system.platform, system.arch);
  let verdicts: ProviderVerdict[] = [{ provider: 'cpu', trusted: ['encoder', 'chat'], reason: null }];
  let kernels: KernelTrial = { asked, serve: atHome };
  const judged = async (tried: KernelTrial | undefined): Promise<KernelTrial> =>
    tried?.asked === asked
      ? tried
      : { asked, serve: asked !== false && (await probeKernels(asked, options.env)).family !== null };
  const triedBefore = (kept: Verdicts) => (atHome ? kernels : kept.kernels);
  const keep = (answers: Verdicts) => {
    try {
      writeFileSync(path, JSON.stringify({ signature: current, ...answers }, null, 2));
    } catch {
      // A full disk: it is asked again next time.
    }
  };
  return {
    kernels: () => kernels.serve && asked,
    for(kind) {
      const graph = graphOf[kind];
      const names = verdicts
        .filter(({ trusted }) => graph !== undefined && trusted.includes(graph))
        .map(({ provider }) => provider);
      return [...names.filter((name) => name !== 'cpu'), 'cpu'];
    },
    verdicts: () => verdicts,
    async load() {
      const kept = readKept(path, current);
      verdicts = kept.verdicts ?? (await probeProviders(options.env));
      const asBefore = triedBefore(kept)?.asked === asked;
      kernels = await judged(triedBefore(kept));
      if (!kept.verdicts || !asBefore) keep({ verdicts, kernels });
    },
    async loadKernels() {
      const kept = readKept(path, current);
      const asBefore = triedBefore(kept)?.asked === asked;
      kernels = await judged(triedBefore(kept));
      if (!asBefore) keep({ ...kept, kernels });
    },
  };
}

/** Nothing where the file is damaged, or is of another runtime, system, processor or driver. */
function readKept(path: string, current: string): Verdicts {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as Verdicts & { signature: string };
    if (file.signature !== current) return {};
    const { kernels, verdicts } = file;
    return {
      ...(Array.isArray(verdicts) && { verdicts }),
      ...(typeof kernels?.serve === 'boolean' && { kernels }),
    };
  } catch {
    return {};
  }
}
