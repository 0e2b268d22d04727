/** `lokal engines` beside a running server: what it prints, and its exit code. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedEngine } from '../../support/engines/scripted-engine.ts';
import { startTestServer, type TestServer } from '../../support/running-server.ts';

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));
const secret = 'sk-their-own-secret-0002';
let server: TestServer;
let home: string;

beforeAll(async () => {
  server = await startTestServer({
    prepare: async (folder) => {
      home = folder;
    },
  });
});
afterAll(() => server.close());

const run = (args: string[], piped = '') =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
    const child = execFile(process.execPath, [cli, 'engines', ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
    child.stdin!.end(piped);
  });

describe('lokal engines', { timeout: 120_000 }, () => {
  it('adds, lists, tries, routes, drains and removes an engine', async () => {
    const engine = await startScriptedEngine({ secret, window: 512 });
    const added = await run(
      ['add', 'gpu1', `${engine.url}/v1`, '--model', 'svc-lingua-7b=tiny', '--secret-file', '-'],
      `${secret}\n`,
    );
    expect([added.code, added.out]).toEqual([0, expect.stringMatching(/gpu1 is used from now on\.\n$/)]);
    expect(added.out + added.err).not.toContain(secret);

    const listed = JSON.parse((await run(['list', '--json'])).out);
    expect(listed.data).toMatchObject([
      { name: 'gpu1', base_url: engine.url, health: { state: 'healthy' }, weight: 1 },
    ]);
    expect((await run(['list'])).out).toMatch(/^NAME +STATE.*\ngpu1 +healthy/);

    const routed = await run(['route', 'svc-lingua-7b', 'gpu1', 'local', '--spill-over', '2', '--json']);
    expect(JSON.parse(routed.out)).toMatchObject({ targets: ['gpu1', 'local'], spill_over: 2, set: true });
    expect(JSON.parse((await run(['route', 'svc-lingua-7b', '--json'])).out)).toMatchObject({ set: false });

    expect((await run(['drain', 'gpu1'])).out).toMatch(/^gpu1 gets no more requests/);
    expect(JSON.parse((await run(['drain', 'gpu1', '--undo', '--json'])).out).draining).toBe(false);

    await engine.kill();
    const tried = await run(['test', 'gpu1']);
    expect([tried.code, tried.out]).toEqual([1, expect.stringContaining('not used until a trial passes')]);

    expect(JSON.parse((await run(['remove', 'gpu1', '--json'])).out)).toEqual({ removed: 'gpu1' });
    expect((await run(['list'])).out).toBe('There is no remote engine.\n');
  });

  it.each([
    [['add', 'gpu1', 'http://127.0.0.1:9', '--model', 'gpt=tiny'], '“gpt” is none'],
    [['add', 'gpu1', 'http://127.0.0.1:9', '--kind', 'grpc'], '--kind is openai, lokal or oip'],
    [['add', 'gpu1', 'http://127.0.0.1:9', '--weight', '0'], '--weight is a whole number above 0'],
    [['add', 'gpu1'], 'URL is missing'],
    [['route', 'svc-lingua-7b', 'local', '--mode', 'random'], '--mode is order or weight'],
  ])('refuses %j before a server is asked', async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it('names an engine that is not there', async () => {
    expect(await run(['test', 'nobody'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no engine “nobody”'),
    });
  });
});
