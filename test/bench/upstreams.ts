/**
 * A front before two engines of which one is killed (SIGKILL) every ten seconds and started again: failed requests of a thousand,
 * streams and whole answers in turn. A stream that is cut behind its first byte ends with the named error and is counted as cut. Then
 * what the front adds to a first token, against asking an engine directly, in turn.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiKeyWithSecret } from '../../server/api/keys.ts';
import { post, startTestServer, type TestServer } from '../support/running-server.ts';
import type { BenchOptions } from './run.ts';

const killEveryMs = 10_000;
const downMs = 3_000;
const clients = 8;

interface Outcome {
  kind: 'answered' | 'cut' | 'failed';
  beganAt: number;
  endedAt: number;
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const engines = [await startEngine(), await startEngine()];
  const server = await startTestServer();
  try {
    for (const [index, { url }] of engines.entries()) await add(server, `e${index + 1}`, url);
    const { secret } = await post<ApiKeyWithSecret>(
      `${server.url}/console/keys`,
      { name: 'bench', plan: 'enterprise', scopes: ['chat', 'upstream'] },
      server.session,
    );
    const front = { url: `${server.url}/v1/chat/completions`, model: 'svc-lingua-7b', secret };
    const direct = { url: `${engines[0]!.url}/v1/chat/completions`, model: 'tiny', secret };
    const added = await addedMs(front, direct, quick ? 30 : 300);
    const of = quick ? 100 : 1_000;
    const { outcomes, kills } = await underKills(of, front, engines);
    const count = (kind: Outcome['kind']) => outcomes.filter((each) => each.kind === kind).length;
    const recovery = kills.map((at) => {
      const good = outcomes.filter(({ kind, beganAt }) => kind === 'answered' && beganAt >= at);
      return Math.min(...good.map(({ endedAt }) => endedAt - at));
    });
    return {
      of,
      failed: count('failed'),
      cut: count('cut'),
      kills: kills.length,
      added_p50_ms: quantile(added, 0.5),
      added_p99_ms: quantile(added, 0.99),
      recovery_ms: quantile(recovery.filter(Number.isFinite), 0.5),
    };
  } finally {
    await server.close();
    for (const engine of engines) engine.kill();
  }
}

interface Engine {
  url: string;
  kill(): void;
  start(): Promise<void>;
}

async function startEngine(): Promise<Engine> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  let child: ChildProcess | undefined;
  const engine = {
    url: `http://127.0.0.1:${port}`,
    kill: () => void child?.kill('SIGKILL'),
    async start() {
      const file = new URL('./upstreams/engine.ts', import.meta.url).pathname;
      child = spawn(process.execPath, [file, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout!, 'data');
    },
  };
  await engine.start();
  return engine;
}

async function add({ url, session }: TestServer, name: string, base_url: string): Promise<void> {
  const models = [{ role: 'svc-lingua-7b', model: 'tiny' }];
  const body = { name, kind: 'openai', base_url, models };
  const { trial } = await post<{ trial: { passed: boolean; summary: string } }>(
    `${url}/console/engines`,
    body,
    session,
  );
  if (!trial.passed) throw new Error(`the trial of ${name}: ${trial.summary}`);
}

interface Asked {
  url: string;
  model: string;
  secret: string;
}

const ask = ({ url, model, secret }: Asked, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

/** First token of a stream, front less direct, pair by pair. */
async function addedMs(front: Asked, direct: Asked, pairs: number): Promise<number[]> {
  const firstTokenMs = async (asked: Asked) => {
    const startedAt = performance.now();
    const response = await ask(asked, { stream: true, max_tokens: 4 });
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('"a ')) text += Buffer.from((await reader.read()).value!).toString();
    const ms = performance.now() - startedAt;
    while (!(await reader.read()).done);
    return ms;
  };
  const added: number[] = [];
  for (let pair = 0; pair < pairs + 10; pair += 1) {
    const first = await firstTokenMs(direct);
    const second = await firstTokenMs(front);
    // The first ones open connections and warm the code.
    if (pair >= 10) added.push(second - first);
  }
  return added;
}

async function underKills(of: number, front: Asked, engines: Engine[]) {
  const outcomes: Outcome[] = [];
  const kills: number[] = [];
  let turn = 0;
  const killer = setInterval(() => {
    const engine = engines[turn++ % engines.length]!;
    kills.push(performance.now());
    engine.kill();
    setTimeout(() => void engine.start(), downMs);
  }, killEveryMs);
  let next = 0;
  const client = async () => {
    while (next < of) {
      const beganAt = performance.now();
      const kind = await outcomeOf(front, next++ % 2 === 0);
      outcomes.push({ kind, beganAt, endedAt: performance.now() });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  clearInterval(killer);
  await new Promise((resolve) => setTimeout(resolve, downMs + 1_000));
  return { outcomes, kills };
}

async function outcomeOf(front: Asked, stream: boolean): Promise<Outcome['kind']> {
  try {
    // Twenty tokens, 20 ms apart.
    const response = await ask(front, { stream, max_tokens: 20, seed: 20 });
    const text = await response.text();
    if (response.status !== 200) {
      console.error(`${response.status} ${text}`);
      return 'failed';
    }
    if (!stream) return JSON.parse(text).choices[0].finish_reason === 'stop' ? 'answered' : 'failed';
    if (text.trimEnd().endsWith('data: [DONE]')) return 'answered';
    return /"code":"upstream_(error|timeout)"\}\}\s*$/.test(text) ? 'cut' : 'failed';
  } catch (error) {
    console.error((error as Error).message);
    return 'failed';
  }
}

function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 100) / 100;
}
