/** Uses the product as a person would: its own command line and server, in processes of their own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sample } from './samples.ts';

const cli = fileURLToPath(
  new URL(`../cli.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);
const commandLimitMs = 120_000;

export interface ProofStep {
  name: string;
  ok: boolean;
  /** The failure; null where it went well. */
  detail: string | null;
}

/** Runs a command of `lokal` to its end. */
export const lokal = (
  env: NodeJS.ProcessEnv,
  args: string[],
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const options = { env, timeout: commandLimitMs, killSignal: 'SIGKILL', maxBuffer: 64 << 20 } as const;
    execFile(process.execPath, [cli, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1) || 1, out, err }),
    );
  });

export async function command(env: NodeJS.ProcessEnv, args: string[]): Promise<ProofStep> {
  const { code, out, err } = await lokal(env, args);
  return step(
    `lokal ${args.join(' ')}`,
    code === 0 || (code === 1 && isDiagnosis(args, out))
      ? null
      : err.trim().split('\n').at(-1) || `exit code ${code}`,
  );
}

/** A doctor that ran to its end, whatever this machine lacks. */
const isDiagnosis = ([name]: string[], out: string): boolean => name === 'doctor' && /^Missing: /m.test(out);

export const step = (name: string, problem: string | null): ProofStep => ({
  name,
  ok: problem === null,
  detail: problem,
});

export interface Server {
  url: string;
  consoleUrl: string;
  pid: number;
  stop(): Promise<void>;
}

export async function startProduct(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Server> {
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text as string),
    once(child, 'exit').then(() => null),
  ]);
  if (line === null) throw new Error(`the server did not start: ${complaint.trim().slice(0, 300)}`);
  const { url, console_url } = JSON.parse(line) as { url: string; console_url: string };
  return { url, consoleUrl: console_url, pid: child.pid!, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

export interface ServiceAnswer {
  service: string;
  status: number;
  pack: string | null;
  /** The answer's word on its process; `on` where it says nothing. */
  confinement: string;
}

export async function askService(
  url: string,
  secret: string,
  { sample: { service, path, body }, signal }: { sample: Sample; signal: AbortSignal },
): Promise<ServiceAnswer> {
  const response = await fetch(url + path, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  const { headers, status } = response;
  const confinement = headers.get('x-lokal-confinement') ?? 'on';
  return { service, status, pack: headers.get('x-model-pack'), confinement };
}

/** A key's secret. @throws Error when it cannot be made */
export async function createKey(env: NodeJS.ProcessEnv): Promise<string> {
  const { out, err } = await lokal(env, ['keys', 'create', 'proof', '--plan', 'enterprise', '--json']);
  try {
    return (JSON.parse(out) as { secret: string }).secret;
  } catch {
    throw new Error(`no key: ${err.trim().slice(0, 300)}`);
  }
}

/** A pack that is new to the installation: a starter under another name. */
export function copyStarter(starters: string, folder: string, id: string): string {
  cpSync(join(starters, 'vision-starter'), folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { id: string };
  writeFileSync(path, JSON.stringify({ ...manifest, id }));
  return folder;
}

/** Processes that the server started and the kernel holds under a filter of system calls, without new privileges. */
export function confinedHosts(serverPid: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readStatus(pid))
    .filter((status) => new RegExp(`^PPid:\\s+${serverPid}$`, 'm').test(status))
    .filter((status) => /^NoNewPrivs:\s+1$/m.test(status) && /^Seccomp:\s+2$/m.test(status)).length;
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
