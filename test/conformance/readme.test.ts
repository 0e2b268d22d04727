/** The commands of README's section on protocols, as they stand there. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const commands = /## Protocols[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)![1]!.trim().split('\n');
const helper = commands.filter((line) => !line.startsWith('ask ')).join('\n');
const examples = commands.filter((line) => line.startsWith('ask '));

it.each(examples)('%s', { timeout: 120_000 }, async (example) => {
  const script = `${helper}\n${example}`.replaceAll('http://127.0.0.1:8787', server.url);
  const env = { ...process.env, KEY: server.live };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  expect(JSON.parse(stdout).error ?? null).toBeNull();
});
