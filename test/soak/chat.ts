/**
 * Short chats without end, through the whole server, on a small pack of random weights: `node test/soak/chat.ts [REQUESTS]`
 * (10,000 by default), sixteen clients on the pack's slots; every seventh leaves in the middle of its answer, and early
 * on the engine host is killed in mid-stream. Prints the memory of the server and of its host as it goes and ends with
 * exit code 1 when a request that stayed got no whole answer, or when memory grew by more than a tenth in the last 40 %
 * (before, it settles: shapes are met for the first time, code is compiled).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMb, startServer } from '../bench/http-load/servers.ts';
import { writeBenchPack } from '../support/chat/bench-pack.ts';
import { createLiveKey } from '../support/chat/live-key.ts';
import { llama135m } from '../support/chat/random-weights.ts';

const total = Number(process.argv[2] ?? 10_000);
const clients = 16;
const home = mkdtempSync(join(tmpdir(), 'lokal-soak-'));
const size = { ...llama135m, layers: 2, hidden: 128, heads: 4, kvHeads: 2, ffn: 256, vocab: 2048 };
await writeBenchPack(join(home, 'packs', 'bench-chat'), { size, preset: 'float32' });
const key = createLiveKey(home);
const cli = new URL('../../server/cli.ts', import.meta.url);
const server = await startServer(cli, ['serve', '--port', '0', '--json'], { LOKAL_HOME: home });

const seen = { whole: 0, left: 0, broken: 0, refused: 0 };
const sizes: number[] = [];
let next = 0;
let killed = false;

/** The engine host: the server's only child while one pack serves. */
const hostPid = (): number =>
  Number(readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8').split(' ')[0]);

async function ask(number: number): Promise<void> {
  const leave = new AbortController();
  const leaves = number % 7 === 0;
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'svc-lingua-7b',
      messages: [{ role: 'user', content: `${number}`.repeat(1 + (number % 40)) }],
      max_tokens: 1 + (number % 24),
      stream: true,
      temperature: 1,
    }),
    signal: leave.signal,
  });
  if (!response.ok || !response.body) {
    seen.refused += 1;
    await response.body?.cancel();
    return;
  }
  let text = '';
  try {
    for await (const part of response.body) {
      text += Buffer.from(part).toString();
      if (leaves) leave.abort();
    }
  } catch {
    seen.left += 1;
    return;
  }
  if (text.endsWith('data: [DONE]\n\n')) seen.whole += 1;
  else seen.broken += 1;
}

async function client(): Promise<void> {
  for (;;) {
    const number = next++;
    if (number >= total) return;
    if (!killed && number > total / 10) {
      killed = true;
      process.kill(hostPid(), 'SIGKILL');
    }
    await ask(number);
    if (number % Math.ceil(total / 20) === 0) {
      const [ours, host] = [residentMb(server.child.pid!), residentMb(hostPid())];
      sizes.push((ours ?? 0) + (host ?? 0));
      process.stderr.write(
        `${number}: server ${ours?.toFixed(0)} MB, host ${host?.toFixed(0)} MB, ${JSON.stringify(seen)}\n`,
      );
    }
  }
}

try {
  await Promise.all(Array.from({ length: clients }, client));
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
// What was running when the host was killed may break off or be refused; nothing else may.
const lost = seen.broken + seen.refused;
const settled = sizes.slice(Math.floor(sizes.length * 0.6));
const growth = settled.at(-1)! / settled[0]!;
console.log(JSON.stringify({ ...seen, growth: Math.round(growth * 1000) / 1000 }));
process.exitCode = lost > clients || growth > 1.1 ? 1 : 0;
