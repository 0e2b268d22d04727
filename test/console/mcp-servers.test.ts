/** Servers of tools for the chat: kept sealed, started by the person alone, called, listed, stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { McpServer, McpServerList } from '../../server/api/console/mcp-servers.ts';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const script = fileURLToPath(new URL('../support/mcp/scripted-server.mjs', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

const ask = (app: TestApp, path: string, body?: object, method?: 'DELETE') =>
  send(app, `/console/mcp-servers${path}`, null, {
    headers: app.session(),
    ...(body ? { body } : {}),
    ...(method ? { method } : body ? {} : { method: 'GET' }),
  });
const program = { name: 'Scripted', command: process.execPath, args: [script] };
const list = async (app: TestApp): Promise<McpServerList> => (await ask(app, '')).json();

async function begin(app: TestApp, input: object = program): Promise<McpServer> {
  const added = (await ask(app, '', input)).json() as McpServer;
  return (await ask(app, `/${added.id}/start`, {})).json();
}

const call = (app: TestApp, id: string, tool: string, values: object = {}, rest: object = {}) =>
  ask(app, `/${id}/call`, { tool, arguments: values, ...rest });

describe('servers of tools', () => {
  test('are kept, sealed, and nothing runs before it is started', async () => {
    const app = openTestApp();
    const added = await ask(app, '', { ...program, args: [script, '--token=very-secret'] });
    expect(added.statusCode).toBe(201);
    expect(added.json()).toMatchObject({ name: 'Scripted', state: 'stopped', tools: [] });
    expect(codeOf(await call(app, added.json().id, 'add', { a: 1, b: 2 }))).toBe('conflict');
    expect(readFileSync(app.file).includes('very-secret')).toBe(false);
    expect(codeOf(await ask(app, '', program))).toBe('conflict');
    expect(codeOf(await send(app, '/console/mcp-servers', null, { method: 'GET' }))).toBe('session_required');
  });

  test('are managed from this machine alone, whoever holds the session', async () => {
    const app = openTestApp();
    const far = { headers: app.session(), from: '192.168.1.20' };
    expect(codeOf(await send(app, '/console/mcp-servers', null, { ...far, body: program }))).toBe(
      'ip_not_allowed',
    );
    expect((await list(app)).data).toEqual([]);
  });

  test('say what they offer once started, and answer calls, which are listed without their content', async () => {
    const app = openTestApp();
    const { id, state, tools } = await begin(app);
    expect(state).toBe('ready');
    expect(tools.map(({ name }) => name)).toEqual(['add', 'surroundings', 'leave', 'scribble']);
    expect((await call(app, id, 'add', { a: 20_111_222, b: 22_333_444 })).json()).toEqual({
      text: '42444666',
      is_error: false,
    });
    expect((await list(app)).calls).toMatchObject([{ server: 'Scripted', tool: 'add', ok: true }]);
    expect(JSON.stringify(await list(app))).not.toContain('42444666');
    expect(codeOf(await call(app, id, 'other'))).toBe('invalid_value');
    expect((await ask(app, `/${id}/stop`, {})).json().state).toBe('stopped');
    expect(codeOf(await call(app, id, 'add', { a: 1, b: 2 }))).toBe('conflict');
  });

  test('see nothing of the environment and work in an empty folder', async () => {
    process.env.LOKAL_TEST_SECRET = 'x';
    const app = openTestApp();
    const { id } = await begin(app);
    const [names, folder] = JSON.parse((await call(app, id, 'surroundings')).json().text) as [
      string[],
      string,
    ];
    delete process.env.LOKAL_TEST_SECRET;
    expect(names.filter((name) => !name.startsWith('__CF'))).toEqual([]);
    expect(folder).toContain('lokal-mcp-');
  });

  test('a tool is allowed for good, and asked about again', async () => {
    const app = openTestApp();
    const { id } = await begin(app);
    const always = async () =>
      (await list(app)).data[0]!.tools.flatMap((tool) => (tool.always ? tool.name : []));
    await call(app, id, 'add', { a: 1, b: 1 }, { always: true });
    expect(await always()).toEqual(['add']);
    await ask(app, `/${id}/allowed/add`, undefined, 'DELETE');
    expect(await always()).toEqual([]);
  });

  test('one that ends or breaks the protocol says so, and the call fails', async () => {
    const app = openTestApp();
    const { id } = await begin(app);
    expect((await call(app, id, 'leave')).json()).toEqual({
      text: 'The tool failed: it ended with code 3',
      is_error: true,
    });
    expect((await list(app)).data).toMatchObject([{ state: 'failed', error: 'it ended with code 3' }]);
    expect((await ask(app, `/${id}/start`, {})).json().state).toBe('ready');
    expect((await call(app, id, 'scribble')).json().text).toContain('not a message of the protocol');
    const missing = await begin(app, { name: 'Missing', command: '/nowhere/program' });
    expect(missing).toMatchObject({ state: 'failed', error: 'there is no such program' });
    expect((await ask(app, `/${missing.id}`, undefined, 'DELETE')).json()).toEqual({ ok: true });
    expect(codeOf(await ask(app, `/${missing.id}/start`, {}))).toBe('not_found');
  });

  test('over HTTP they are on this machine, or refused', async () => {
    const app = openTestApp();
    for (const url of [
      'http://example.com/mcp',
      'file:///etc/passwd',
      'http://127.0.0.1@evil.test/',
      'nonsense',
    ])
      expect((await ask(app, '', { name: 'Far', url })).json().error).toMatchObject({ param: 'url' });
    expect(codeOf(await ask(app, '', { name: 'Both' }))).toBe('missing_field');
    const child = spawn(process.execPath, [script, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    const port = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    const { id, state, tools } = await begin(app, { name: 'Near', url: `http://127.0.0.1:${port}/mcp` });
    expect([state, tools.length]).toEqual(['ready', 4]);
    expect((await call(app, id, 'add', { a: 1, b: 2 })).json().text).toBe('3');
  });
});
