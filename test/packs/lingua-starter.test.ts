/** The shipped chat pack: its files, and the README's example, run as it stands against a real server with the OpenAI SDK. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Manifest, parseManifest } from '../../server/packs/manifest.ts';
import { verifyPack } from '../../server/packs/verify.ts';
import { startTestServer, type TestServer } from '../support/running-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}models/packs/lingua-starter`;
let manifest: Manifest;

beforeAll(async () => {
  manifest = parseManifest(await readFile(`${folder}/manifest.json`, 'utf8'));
});

describe('the files', () => {
  it('are what the manifest says', () => expect(verifyPack(folder, manifest)).resolves.toBeUndefined());

  it('stay within 30 MB', () =>
    expect(manifest.files.reduce((sum, file) => sum + file.size_bytes, 0)).toBeLessThan(30_000_000));

  it('were not packed for one kind of processor', () =>
    expect((manifest as Manifest & { chat: object }).chat).toMatchObject({ prepacked_for: null }));
});

describe('the example of the README', () => {
  let server: TestServer;
  let lines: string[];

  beforeAll(async () => {
    server = await startTestServer();
    const readme = await readFile(`${root}README.md`, 'utf8');
    const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
    const code = blocks.find((block) => block.includes('svc-lingua-7b'))!;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', code.replace('http://127.0.0.1:8787', server.url)],
      { cwd: root, env: { ...process.env, KEY: server.live } },
    );
    lines = stdout.trimEnd().split('\n');
  }, 60_000);
  afterAll(() => server?.close());

  it('streams an answer', () =>
    expect(lines[0]).toMatch(/^I can extract fields from a text, answer questions about a passage/));

  it('calls the tool', () => {
    const [, name, given] = /^(\S+) (.*)$/.exec(lines[1]!)!;
    expect(name).toBe('get_weather');
    expect(JSON.parse(given!)).toEqual({ city: 'Kuching' });
  });

  it('reads the fields', () =>
    expect(JSON.parse(lines[2]!)).toEqual({ name: 'Siti Rahman', city: 'Ipoh', total: 42.5 }));
});
