/** Starts a packed Lokal on a data folder of its own and asks each of its six services once, and the interface. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { createSecret } from '../../server/services/keys/secret.ts';

const startLimitMs = 120_000;
const pollMs = 50;

export interface PackedProcess {
  child: ChildProcess;
  url: string;
  /** A live key with every scope. */
  key: string;
  /** From the start of the process until it told its address. */
  startMs: number;
}

export interface StartOptions {
  command: string;
  args: string[];
  /** Its data folder, which the user it runs as may write. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** Another user than this process's, which must be root then. */
  uid?: number;
}

/** @throws Error with what it printed when it ends before it listens */
export async function startPacked({ command, args, home, env, uid }: StartOptions): Promise<PackedProcess> {
  const key = createSecret('live');
  const startedAt = performance.now();
  const child = spawn(command, [...args, '--port', '0'], {
    env: { ...env, LOKAL_HOME: home, LOKAL_BOOTSTRAP_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-20_000);
    });
  let ended: unknown;
  child.once('exit', (code, signal) => {
    ended = signal ?? code;
  });
  child.once('error', (error) => {
    ended = error.message;
  });
  const address = join(home, 'server.url');
  while (!existsSync(address)) {
    if (ended !== undefined)
      throw new Error(`${command} ended with ${ended} before it listened:\n${printed}`);
    if (performance.now() - startedAt > startLimitMs)
      throw new Error(`${command} does not listen:\n${printed}`);
    await pause(pollMs);
  }
  return { child, url: readFileSync(address, 'utf8'), key, startMs: performance.now() - startedAt };
}

/** Names of the services that answered 200; `log` gets what the others said. */
export async function askServices(
  { url, key }: Pick<PackedProcess, 'url' | 'key'>,
  log: (line: string) => void = () => undefined,
): Promise<string[]> {
  const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
  const invoice = await fetch(`${url}/samples/invoice.pdf`);
  if (!page.ok || !invoice.ok) throw new Error(`the interface answers ${page.status} and ${invoice.status}`);
  const file = Buffer.from(await invoice.arrayBuffer()).toString('base64');
  const answered: string[] = [];
  for (const [name, path, body] of requests(file)) {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 200) answered.push(name);
    else log(`${name}: ${response.status} ${text.slice(0, 300)}`);
  }
  return answered;
}

function requests(invoice: string): [name: string, path: string, body: object][] {
  const input = (model: string, text: string) => ({ model, input: text });
  const messages = [{ role: 'user', content: 'What can you do?' }];
  return [
    ['chat', '/chat/completions', { model: 'svc-lingua-7b', messages, max_tokens: 8 }],
    ['embeddings', '/embeddings', input('svc-embed-base', 'selamat pagi')],
    ['moderation', '/moderations', input('svc-shield-base', 'My MyKad is 900101-14-5678')],
    [
      'threat analysis',
      '/moderations',
      input('svc-guard-max', 'GET /?id=1%27%20UNION%20SELECT%201-- HTTP/1.1'),
    ],
    ['documents', '/documents/parse', { model: 'svc-parse-pro', file: invoice }],
    ['images', '/images/analyze', { model: 'svc-vision-pro', image: picture() }],
  ];
}

/** A PNG of 64 × 64 with a frame in it. */
function picture(): string {
  const rows = Buffer.alloc(64 * 65);
  for (let y = 0; y < 64; y += 1)
    for (let x = 0; x < 64; x += 1) rows[y * 65 + 1 + x] = x % 48 < 8 || y % 48 < 8 ? 32 : 224;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(64, 0);
  header.writeUInt32BE(64, 4);
  header[8] = 8;
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]).toString('base64');
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
