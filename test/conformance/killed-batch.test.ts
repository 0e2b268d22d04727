/** A batch of a server that is killed without warning: the next one goes on behind the last answer, and nothing counts twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import OpenAI, { toFile } from 'openai';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { createSecret } from '../../server/services/keys/secret.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));
const home = temporaryFolder();
const secret = createSecret('live');
const lines = 300;
let child: ChildProcess;
afterAll(() => void child.kill('SIGKILL'));

async function start(): Promise<OpenAI> {
  const env = { ...process.env, LOKAL_HOME: home, LOKAL_BOOTSTRAP_KEY: secret, NODE_OPTIONS: '' };
  child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 });
}

it('goes on after kill -9, each line once', { timeout: 240_000 }, async () => {
  let client = await start();
  const text = Array.from({ length: lines }, (_, index) =>
    JSON.stringify({
      custom_id: `line ${index}`,
      method: 'POST',
      url: '/v1/moderations',
      body: { model: 'svc-shield-base', input: `A text, number ${index}.` },
    }),
  ).join('\n');
  const file = await client.files.create({
    file: await toFile(Buffer.from(text), 'lines.jsonl'),
    purpose: 'batch',
  });
  const endpoint = '/v1/moderations';
  const { id } = await client.batches.create({ input_file_id: file.id, endpoint, completion_window: '24h' });
  const read = () => client.batches.retrieve(id);
  let batch = await read();
  for (let kills = 0; kills < 2; kills += 1) {
    const before = batch.request_counts?.completed ?? 0;
    do {
      await sleep(20);
      batch = await read();
    } while ((batch.request_counts?.completed ?? 0) < before + 5);
    expect(batch.status).toBe('in_progress');
    child.kill('SIGKILL');
    await once(child, 'exit');
    client = await start();
  }
  while (batch.status !== 'completed') {
    await sleep(100);
    batch = await read();
  }
  expect(batch.request_counts).toEqual({ total: lines, completed: lines, failed: 0 });
  const output = await (await client.files.content(batch.output_file_id!)).text();
  const ids = output
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each).custom_id);
  expect(ids).toEqual(Array.from({ length: lines }, (_, index) => `line ${index}`));
  child.kill('SIGTERM');
  await once(child, 'exit');
  const db = openDatabase(`${home}/lokal.db`);
  expect(db.prepare('SELECT sum(requests) FROM usage').pluck().get()).toBe(lines);
  db.close();
});
