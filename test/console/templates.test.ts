/** The person's own document templates: kept, renamed, forgotten, and used by the documents service. */
import { describe, expect, test } from 'vitest';
import type { CustomTemplate } from '../../server/api/console/templates.ts';
import type { PageLine, ParseParams } from '../../server/engine/documents/types.ts';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import { emptyResult } from '../support/documents/cold-store.ts';

const template: CustomTemplate = {
  name: 'cold-store',
  title: 'Cold store report',
  words: ['peti sejuk'],
  fields: [
    { name: 'reference', type: 'text', labels: ['Rujukan'] },
    { name: 'year', type: 'number', pattern: 'PSP/(\\d{4})/' },
    { name: 'note', type: 'text', place: { page: 1, bbox: [0.1, 0.2, 0.5, 0.3] } },
  ],
};

const keep = (app: TestApp, body: object = template) =>
  send(app, '/console/templates', null, { headers: app.session(), body });
const rename = (app: TestApp, name: string, body: object) =>
  send(app, `/console/templates/${name}`, null, { method: 'PATCH', headers: app.session(), body });
const remove = (app: TestApp, name: string) =>
  send(app, `/console/templates/${name}`, null, { method: 'DELETE', headers: app.session() });
const list = async (app: TestApp): Promise<CustomTemplate[]> =>
  (await send(app, '/console/templates', null, { headers: app.session() })).json().data;

describe('own templates', () => {
  test('are kept as they were given, by name, and replaced by one of the same name', async () => {
    const app = openTestApp();
    expect((await keep(app)).json()).toEqual(template);
    await keep(app, { ...template, name: 'a-first' });
    await keep(app, { ...template, title: 'Changed' });
    expect((await list(app)).map(({ name, title }) => [name, title])).toEqual([
      ['a-first', 'Cold store report'],
      ['cold-store', 'Changed'],
    ]);
  });

  test('what could never be filled is refused, and the field named', async () => {
    const app = openTestApp();
    const field = { name: 'reference', type: 'text', labels: ['Rujukan'] };
    const refusals: [object[], string][] = [
      [[{ name: 'nothing', type: 'text' }], 'fields[0]'],
      [[field, { name: 'broken', type: 'text', pattern: '(' }], 'fields[1].pattern'],
      [[field, field], 'fields[1].name'],
      [[{ ...field, name: '9 lives' }], 'fields[0].name'],
      [[{ ...field, type: 'color' }], 'fields[0].type'],
      [[], 'fields'],
    ];
    for (const [fields, param] of refusals) {
      const response = await keep(app, { ...template, fields });
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toMatchObject({ code: 'invalid_value', param });
    }
    expect(codeOf(await keep(app, { ...template, name: 'Cold Store' }))).toBe('invalid_value');
    expect(await list(app)).toEqual([]);
  });

  test('are renamed, though not to a name that is taken', async () => {
    const app = openTestApp();
    await keep(app);
    await keep(app, { ...template, name: 'other' });
    const taken = await rename(app, 'cold-store', { name: 'other' });
    expect(taken.statusCode).toBe(409);
    expect(taken.json().error).toMatchObject({ code: 'conflict', param: 'name' });
    const renamed = await rename(app, 'cold-store', { name: 'freezer', title: 'Freezer report' });
    expect(renamed.json()).toEqual({ ...template, name: 'freezer', title: 'Freezer report' });
    expect((await list(app)).map(({ name }) => name)).toEqual(['freezer', 'other']);
    expect((await rename(app, 'freezer', { name: 'freezer', title: 'Same name' })).statusCode).toBe(200);
    expect(codeOf(await rename(app, 'cold-store', { name: 'x' }))).toBe('not_found');
  });

  test('are forgotten, and come back when they are given again', async () => {
    const app = openTestApp();
    await keep(app);
    expect((await remove(app, 'cold-store')).json()).toEqual({ ok: true });
    expect(codeOf(await remove(app, 'cold-store'))).toBe('not_found');
    await keep(app);
    expect(await list(app)).toEqual([template]);
  });

  test('belong to the console: no key reaches them', async () => {
    const app = openTestApp();
    const response = await send(app, '/console/templates', app.key(), { body: template });
    expect(codeOf(response)).toBe('session_required');
  });
});

describe('parsing with a custom template', () => {
  const empty = emptyResult('custom:cold-store');
  const file = Buffer.from('a document').toString('base64');
  const parse = (app: TestApp, name: string) =>
    send(app, '/v1/documents/parse', app.key(), { body: { model: 'svc-parse-pro', file, template: name } });

  test('the engine gets the template whole; an unknown one is refused', async () => {
    const given: ParseParams['template'][] = [];
    const app = openTestApp({
      methods: {
        documents: {
          *parse({ template: asked }) {
            given.push(asked);
            yield { kind: 'result', result: empty };
          },
        },
      },
    });
    await keep(app);
    // The type repeats the prefix that was asked with; `own:` is the old one.
    for (const asked of ['custom:cold-store', 'own:cold-store'])
      expect((await parse(app, asked)).json()).toMatchObject({ type: asked });
    expect(given).toEqual([template, template]);
    const refused = await parse(app, 'custom:missing');
    expect(refused.json().error).toMatchObject({ code: 'invalid_value', param: 'template' });
  });
});

describe('lines of a page', () => {
  test('are the engine’s', async () => {
    const lines: PageLine[] = [{ page: 2, text: 'Rujukan', bbox: [0, 0, 1, 1], words: [] }];
    const asked: unknown[] = [];
    const app = openTestApp({
      methods: {
        documents: {
          pageLines: (params) => {
            asked.push([Buffer.from(params.bytes).toString(), params.page]);
            return { lines };
          },
        },
      },
    });
    const body = { file: Buffer.from('a document').toString('base64'), page: 2 };
    const response = await send(app, '/console/documents/lines', null, { headers: app.session(), body });
    expect(response.json()).toEqual({ lines });
    expect(asked).toEqual([['a document', 2]]);
    const bad = await send(app, '/console/documents/lines', null, {
      headers: app.session(),
      body: { file: '***', page: 1 },
    });
    expect(bad.json().error).toMatchObject({ code: 'invalid_value', param: 'file' });
  });
});
