/**
 * Confined hosts against hosts as they were: two servers on the starters, asked in turn over HTTP for the same answers
 * (four chat answers, 64 texts embedded, a scanned page parsed). Ratios are speed confined over speed not: by the
 * clock the median over pairs of neighbouring runs, whose order changes from pair to pair; by CPU time, which what else
 * the machine does hardly moves, the sum of all runs of a server and its hosts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveKey } from '../support/chat/live-key.ts';
import { textPdf, toPng } from '../support/documents/scans.ts';
import { startServer } from './http-load/servers.ts';
import { cpuMs, median, progress, rounded, timeMs } from './measure.ts';
import type { BenchOptions } from './run.ts';

const secondsEach = 30;

type Ask = (path: string, body: object) => Promise<void>;

async function start(name: string, confinement: string, homes: string[]) {
  const home = mkdtempSync(join(tmpdir(), `lokal-${name}-`));
  homes.push(home);
  const key = createLiveKey(home);
  const server = await startServer(
    new URL('../../server/cli.ts', import.meta.url),
    ['serve', '--port', '0', '--json'],
    { LOKAL_HOME: home, LOKAL_CONFINEMENT: confinement },
  );
  const ask: Ask = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    // The header is absent where a host is fully confined.
    const said = response.headers.get('x-lokal-confinement');
    if ((said === null) !== (confinement !== 'off')) throw new Error(`${path}: confinement is ${said}`);
  };
  return { ask, cpu: () => cpuMs(server.child.pid), stop: server.stop };
}

async function requests(): Promise<Record<'chat' | 'documents' | 'embeddings', [string, object]>> {
  const file = Buffer.from(await toPng(await textPdf())).toString('base64');
  const sentence =
    'The shipment of the third quarter left the harbor two days later than the contract allows.';
  return {
    chat: [
      '/v1/chat/completions',
      {
        model: 'svc-lingua-7b',
        messages: [{ role: 'user', content: `Repeat: ${sentence}` }],
        max_tokens: 200,
        temperature: 0,
        seed: 1,
      },
    ],
    documents: ['/v1/documents/parse', { model: 'svc-parse-pro', file }],
    embeddings: [
      '/v1/embeddings',
      { model: 'svc-embed-base', input: Array.from({ length: 64 }, (_, row) => `${row} ${sentence}`) },
    ],
  };
}

export async function run({ quick }: BenchOptions): Promise<object> {
  if (process.platform !== 'linux') return { skipped: 'hosts are confined in full on Linux alone' };
  const homes: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  try {
    const confined = await start('confined', 'on', homes);
    stops.push(confined.stop);
    const bare = await start('bare', 'off', homes);
    stops.push(bare.stop);
    const figures: Record<string, { clock: number; cpu: number }> = {};
    const sides = { confined, bare };
    for (const [service, [path, body]] of Object.entries(await requests())) {
      // The first of each wakes its host.
      for (const side of Object.values(sides)) await side.ask(path, body);
      const before = { confined: confined.cpu(), bare: bare.cpu() };
      const pairs: number[] = [];
      const ends = performance.now() + (quick ? 0 : secondsEach * 1000);
      while (pairs.length < (quick ? 1 : 20) || performance.now() < ends) {
        const ms = { confined: 0, bare: 0 };
        const order: (keyof typeof sides)[] =
          pairs.length % 2 === 0 ? ['confined', 'bare'] : ['bare', 'confined'];
        for (const side of order) ms[side] = await timeMs(() => sides[side].ask(path, body));
        pairs.push(ms.bare / ms.confined);
      }
      const cpu = { confined: confined.cpu() - before.confined, bare: bare.cpu() - before.bare };
      figures[service] = { clock: rounded(median(pairs)), cpu: rounded(cpu.bare / cpu.confined) };
      progress(`${service}: ${pairs.length} pairs, ${JSON.stringify(figures[service])}`);
    }
    return { ratio: Math.min(...Object.values(figures).map(({ cpu }) => cpu)), ...figures };
  } finally {
    for (const stop of stops) await stop();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}
