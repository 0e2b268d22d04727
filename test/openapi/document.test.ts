import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { scopes } from '../../server/api/common.ts';
import { type OperationSpec, operations, splitOperation } from '../../server/api/operations.ts';
import { errorTable } from '../../server/errors.ts';
import { buildOpenApi } from '../../server/openapi/document.ts';
import { docsStyle, renderDocs } from '../../server/openapi/page.ts';

const document = buildOpenApi('1.2.3', 'http://127.0.0.1:8787');
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('describes every API operation and none of the console', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const api = Object.entries(operations).filter(([, spec]) => spec.access === 'api');
    expect(described.sort()).toEqual(api.map(([key]) => key).sort());
  });

  it('publishes the error table, and nothing that is not in it', () => {
    const rows = document['x-error-codes'] as { code: string; status: number; type: string }[];
    expect(Object.fromEntries(rows.map(({ code, status, type }) => [code, { status, type }]))).toEqual(
      Object.fromEntries(
        Object.entries(errorTable).map(([code, { status, type }]) => [code, { status, type }]),
      ),
    );
    const responses = JSON.stringify(document.components.responses);
    for (const [code, { status }] of Object.entries(errorTable))
      if (status !== 499) expect(responses).toContain(`\`${code}\``);
  });

  it('names the headers that an operation takes and answers with', () => {
    const chat = JSON.stringify(document.paths['/v1/chat/completions']?.post);
    for (const name of ['IdempotencyKey', 'Region', 'RequestId'])
      expect(chat).toContain(`#/components/parameters/${name}`);
    for (const name of ['x-request-id', 'x-ratelimit-reset-tokens', 'x-model-pack', 'idempotent-replayed'])
      expect(chat).toContain(`#/components/headers/${name}`);
    expect(JSON.stringify(document.paths['/v1/keys']?.post)).toContain(
      '#/components/parameters/IdempotencyKey',
    );
    expect(JSON.stringify(document.paths['/v1/models']?.get)).not.toContain('IdempotencyKey');
    expect(JSON.stringify(document.components.responses)).toContain('#/components/headers/retry-after');
  });

  it('refers only to what it holds, with unique operation ids', () => {
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer!
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document);
      expect(target, pointer).toBeDefined();
    }
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('holds schemas that compile as draft 2020-12', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  it('names a known scope for every operation with a key', () => {
    for (const [key, spec] of Object.entries(operations) as [string, OperationSpec][]) {
      const isOfAnyKey = /^\/v1\/(files|batches)\b/.test(splitOperation(key).path);
      if (spec.access === 'api' && !isOfAnyKey) expect(scopes, key).toContain(spec.scope);
      const roots = { ollama: /^\/api\//, api: /^\/(v1\/|mcp$)/, console: /^\/console\// };
      const kind = spec.dialect === 'ollama' ? 'ollama' : spec.access === 'api' ? 'api' : 'console';
      expect(splitOperation(key).path).toMatch(roots[kind]);
    }
  });
});

describe('the docs page', () => {
  const page = renderDocs(document);

  it('shows every operation, schema and error code without script or foreign asset', () => {
    for (const path of Object.keys(document.paths)) expect(page).toContain(path);
    for (const name of Object.keys(document.components.schemas))
      expect(page).toContain(`id="schema-${name}"`);
    for (const code of Object.keys(errorTable)) expect(page).toContain(code);
    expect(page).not.toMatch(/<script|style=|src=/);
    expect(page.match(/href="(?!#)([^"]+)"/g)).toEqual(
      ['/favicon.svg', '/docs/style.css', '/', '/openapi.json'].map((path) => `href="${path}"`),
    );
    expect(docsStyle).not.toMatch(/url\(|@import/);
  });

  it('tells the limits of a field that may be null', () => {
    expect(page).toMatch(
      /temperature<\/code><\/td><td>number \| null<\/td><td>no<\/td><td>default 0.7; minimum 0; maximum 2</,
    );
  });

  it('tells of headers and of the triggers of test keys', () => {
    for (const text of ['Idempotency-Key', 'x-ratelimit-reset-requests', 'fixture:delay=2s'])
      expect(page).toContain(text);
  });

  it('escapes what it shows', () => {
    const hostile = buildOpenApi('<b>1</b>', 'http://x/"><script>');
    expect(renderDocs(hostile)).not.toMatch(/<script|<b>1/);
  });
});
