/** The Model Context Protocol over HTTP: its messages, its tools, and the files they may read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/app/folder.ts';
import { openTestApp, send, type TestAppOptions } from '../support/app/test-app.ts';

function setUp(request: Parameters<ReturnType<typeof openTestApp>['key']>[0] = {}) {
  const app = openTestApp();
  const key = app.key({ class: 'test', ...request });
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    const response = await send(app, '/mcp', key, { body: { jsonrpc: '2.0', id, method, params } });
    return { status: response.statusCode, ...response.json() };
  };
  const call = async (name: string, values: object) =>
    (await ask('tools/call', { name, arguments: values })).result;
  return { app, key, ask, call };
}

describe('the Model Context Protocol', () => {
  it('agrees on a version, takes notifications, and needs a key', async () => {
    const { app, key, ask } = setUp();
    const { result } = await ask('initialize', { protocolVersion: '2025-03-26' });
    expect(result).toMatchObject({ protocolVersion: '2025-03-26', serverInfo: { name: 'lokal' } });
    expect((await ask('initialize', { protocolVersion: '1999-01-01' })).result.protocolVersion).toBe(
      '2025-11-25',
    );
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await send(app, '/mcp', key, { body })).statusCode).toBe(202);
    expect((await send(app, '/mcp', null, { body })).statusCode).toBe(401);
    expect((await send(app, '/mcp', key)).statusCode).toBe(405);
    expect(await ask('nothing')).toMatchObject({ status: 200, error: { code: -32601 } });
    expect((await ask('ping')).result).toEqual({});
  });

  it('calls each tool, which answers with the service’s result', async () => {
    const { ask, call } = setUp();
    const { tools } = (await ask('tools/list')).result;
    const values: Record<string, object> = {
      parse_document: { file: Buffer.from('a document').toString('base64') },
      search_text: { query: 'a', texts: ['a', 'b'] },
      moderate: { text: 'fixture-flag:violence' },
      find_personal_data: { text: 'fixture-flag:pii_exposure' },
      redact: { text: 'fixture-flag:pii_exposure' },
      analyze_threat: { text: 'a log line' },
      analyze_image: {
        image:
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
      embed: { texts: ['a'] },
    };
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(values));
    for (const [name, given] of Object.entries(values)) {
      const result = await call(name, given);
      expect(result.isError, `${name}: ${result.content[0].text}`).toBeUndefined();
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    }
    const { results } = (await call('moderate', values.moderate!)).structuredContent;
    expect(results[0].categories.violence.flagged).toBe(true);
    const personal = (await call('find_personal_data', values.find_personal_data!)).structuredContent;
    expect(Object.keys(personal.results[0].categories)).toEqual(['pii_exposure']);
  });

  it('tells a model what it can mend', async () => {
    const { ask, call } = setUp({ scopes: ['models', 'embeddings'] });
    expect(await call('embed', { texts: 'a' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^texts/) }],
    });
    expect(await call('embed', {})).toMatchObject({ isError: true });
    expect(await call('moderate', { text: 'a' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/scope/) }],
    });
    expect(await ask('tools/call', { name: 'rm' })).toMatchObject({ error: { code: -32602 } });
  });

  it('reads files inside the allowed folders alone, links followed', async () => {
    const { app, call } = setUp();
    const home = temporaryFolder();
    const [inside, outside] = ['inside', 'inside-not'].map((name) => join(home, name));
    for (const folder of [inside!, outside!]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'report.pdf'), 'a document');
    }
    symlinkSync(join(outside!, 'report.pdf'), join(inside!, 'link.pdf'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(inside!, 'pipe.pdf')]);
    const refusals = async () => {
      const paths = [
        'inside/report.pdf',
        'inside-not/report.pdf',
        'inside/link.pdf',
        'inside/../inside-not/report.pdf',
        'inside/none.pdf',
        'inside/pipe.pdf',
        'inside',
      ];
      const all = await Promise.all(paths.map((path) => call('parse_document', { path: join(home, path) })));
      return all.map(({ isError = false }) => isError);
    };
    expect(await refusals()).toEqual([true, true, true, true, true, true, true]);
    app.services.settings.update({ mcp_folders: [inside!] });
    expect(await refusals()).toEqual([false, true, true, true, true, true, true]);
    expect(await call('parse_document', { path: 'report.pdf' })).toMatchObject({ isError: true });
  });

  it('lists models and templates as resources', async () => {
    const { ask } = setUp();
    const { resources } = (await ask('resources/list')).result;
    const read = async (uri: string) =>
      JSON.parse((await ask('resources/read', { uri })).result.contents[0].text);
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'lokal://models',
      'lokal://packs',
      'lokal://templates',
    ]);
    expect((await read('lokal://models')).data).toHaveLength(6);
    const packs = await read('lokal://packs');
    expect(packs).toHaveLength(6);
    expect(packs[0]).toEqual({ model: expect.stringMatching(/^svc-/), pack: expect.any(String) });
    const narrow = setUp({ scopes: ['models', 'embeddings'] });
    const { result } = await narrow.ask('resources/read', { uri: 'lokal://packs' });
    expect(JSON.parse(result.contents[0].text)).toHaveLength(1);
    expect(await read('lokal://templates')).toContain('invoice');
    expect(await ask('resources/read', { uri: 'file:///etc/passwd' })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('redacts a text or a document, never both at once', async () => {
    const { call } = setUp();
    const text = await call('redact', { text: 'fixture-flag:pii_exposure' });
    expect(text.structuredContent).toMatchObject({ text: expect.any(String), entities: expect.any(Array) });
    const document = await call('redact', { file: Buffer.from('a document').toString('base64') });
    expect(document.isError, document.content[0].text).toBeUndefined();
    expect(document.structuredContent).toMatchObject({ redactions: expect.any(Array) });
    for (const values of [{}, { text: 'a', file: 'YQ==' }, { kinds: ['email'] }])
      expect(await call('redact', values)).toMatchObject({ isError: true });
  });

  it('counts the use of each tool as the service’s own', async () => {
    const classify = () => ({ flagged: false, scores: {}, flaggedCategories: {}, spans: [] });
    const app = openTestApp({
      methods: { moderation: { classify } } as unknown as TestAppOptions['methods'],
    });
    const key = app.key();
    const params = { name: 'moderate', arguments: { text: 'a' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const response = await send(app, '/mcp', key, { body });
    expect(response.json().result.isError, response.body).toBeUndefined();
    expect(app.services.usage.report(1)).toMatchObject([
      { key_id: key.id, model: 'svc-shield-base', requests: 1 },
    ]);
    expect(app.services.requestLog.latest(1)[0]).toMatchObject({ path: '/mcp', key_id: key.id });
  });

  it('is metered and listed as the key’s', async () => {
    const { app, key, ask } = setUp();
    await ask('ping');
    expect(app.services.requestLog.latest(1)[0]).toMatchObject({ path: '/mcp', key_id: key.id, status: 200 });
  });
});
