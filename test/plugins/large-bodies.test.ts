import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import { emptyResult } from '../support/documents/cold-store.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

const document = { model: 'svc-parse-pro', pages: '1' };

/** A document engine that tells what it got. */
function openReader() {
  const seen: Buffer[] = [];
  const methods: FakeMethods = {
    documents: {
      parse: async function* ({ bytes }) {
        seen.push(Buffer.from(bytes));
        yield { kind: 'result', result: emptyResult('generic') };
      },
    },
  };
  return { seen, test: openTestApp({ methods }) };
}

const file = Buffer.alloc(3 * 1024 * 1024, 'a file that is not small ');
const parse = (test: TestApp, body: object, headers = {}) =>
  send(test, '/v1/documents/parse', test.key(), { body: { ...document, ...body }, headers });

describe('a large body', () => {
  it.each(['', 'data:application/pdf;base64,'])(
    'reaches the engine as the bytes it carries (%s)',
    async (prefix) => {
      const { test, seen } = openReader();
      const answer = await parse(test, { file: prefix + file.toString('base64') });
      expect(answer.statusCode).toBe(200);
      expect(seen[0]?.equals(file)).toBe(true);
    },
  );

  it('is refused for what is wrong with it, as a small one is', async () => {
    const { test } = openReader();
    const large = file.toString('base64');
    const notBase64 = await parse(test, { file: `${large}!` });
    expect(notBase64.json().error).toMatchObject({ code: 'invalid_value', param: 'file' });
    expect((await parse(test, { file: large, extra: 1 })).json().error).toMatchObject({
      code: 'unknown_parameter',
      param: 'extra',
    });
    const text = JSON.stringify({ ...document, file: large });
    const broken = await send(test, '/v1/documents/parse', test.key(), {
      body: text.slice(0, -1),
      headers: { 'content-type': 'application/json' },
    });
    expect(codeOf(broken)).toBe('invalid_json');
    const poisoned = await send(test, '/v1/documents/parse', test.key(), {
      body: `${text.slice(0, -1)},"\\u005f_proto__":{}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(codeOf(poisoned)).toBe('invalid_json');
  });

  it('is told from another under one Idempotency-Key', async () => {
    const { test, seen } = openReader();
    const key = test.key();
    const ask = (bytes: Buffer) =>
      send(test, '/v1/documents/parse', key, {
        body: { ...document, file: bytes.toString('base64') },
        headers: { 'idempotency-key': 'k' },
      });
    const first = await ask(file);
    expect((await ask(file)).body).toBe(first.body);
    const other = Buffer.from(file);
    other[2_000_000]! ^= 1;
    expect(codeOf(await ask(other))).toBe('idempotency_key_reused');
    expect(seen).toHaveLength(1);
  });

  it('keeps nobody waiting: what is asked after it is answered before it', async () => {
    const { test } = openReader();
    const url = await test.app.listen({ port: 0, host: '127.0.0.1' });
    const body = JSON.stringify({ ...document, file: 'A'.repeat(40 * 1024 * 1024) });
    const order: string[] = [];
    const large = request(`${url}/v1/documents/parse`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${test.key().secret}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const answered = once(large, 'response').then(([response]) => {
      order.push('large');
      response.resume();
    });
    const sent = new Promise<void>((resolve) => large.end(body, () => resolve()));
    await sent;
    await fetch(`${url}/healthz`);
    order.push('healthz');
    await answered;
    expect(order).toEqual(['healthz', 'large']);
  });

  it.each([
    ['properties', `[${Array.from({ length: 50_001 }, (_, index) => `{"k${index}":1}`).join()}]`],
    ['an object', `{${Array.from({ length: 4_097 }, (_, index) => `"key number ${index}":1`).join()}}`],
    ['values', `[${'1,'.repeat(250_001)}1]`],
  ])('of too many %s is refused before it is parsed', async (what, body) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/embeddings', test.key(), {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_json']);
    expect(answer.json().error.message).toContain(what);
  });

  it.each(['announced', 'not announced'])('that is too large is answered, not cut off: %s', async (how) => {
    const test = openTestApp();
    const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const count = 192;
    for (let round = 0; round < 3; round += 1) {
      const headers = {
        authorization: `Bearer ${test.key().secret}`,
        'content-type': 'application/json',
        ...(how === 'announced' ? { 'content-length': String(count * chunk.length) } : {}),
      };
      const sent = request(`${url}/v1/moderations`, { method: 'POST', headers });
      const answered = once(sent, 'response');
      // As slowly as a network does: the answer must wait for the last byte.
      for (let index = 0; index < count; index += 1) {
        if (!sent.write(chunk)) await once(sent, 'drain');
      }
      sent.end();
      const [response] = await answered;
      expect(response.statusCode).toBe(413);
      response.resume();
      await once(response, 'end');
    }
  });

  it.each([
    ['/v1/chat/completions', 8],
    ['/v1/embeddings', 8],
    ['/v1/moderations', 4],
  ])('to %s ends at %i MiB', async (path, mebibytes) => {
    const test = openTestApp();
    const answer = await send(test, path, test.key(), {
      body: { input: 'x'.repeat(mebibytes * 1024 * 1024) },
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([413, 'payload_too_large']);
  });
});

describe('metadata', () => {
  it.each([
    [16, 503],
    [17, 400],
  ])('of %i entries is %i', async (count, status) => {
    const metadata = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key(), {
      body: { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'x' }], metadata },
    });
    expect(answer.statusCode).toBe(status);
    if (status === 400) expect(answer.json().error.param).toBe('metadata');
  });
});
