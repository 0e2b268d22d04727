/** Files sent as the part of a form, where JSON carries them in base64. */
import { describe, expect, it } from 'vitest';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import { emptyResult } from '../support/documents/cold-store.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

const bytes = Buffer.from('%PDF-1.7 bytes \0\r\n--of a file');

/** A document engine that tells what it got. */
function openReader() {
  const seen: Buffer[] = [];
  const methods: FakeMethods = {
    documents: {
      parse: async function* (call) {
        seen.push(Buffer.from(call.bytes));
        yield { kind: 'result', result: emptyResult('generic') };
      },
    },
  };
  return { seen, test: openTestApp({ methods }) };
}

type Fields = Record<string, string>;

async function sendForm(test: TestApp, fields: Fields, files: Record<string, Buffer>, headers: Fields = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [name, content] of Object.entries(files)) form.set(name, new Blob([content as never]), 'x.pdf');
  const whole = new Response(form);
  return test.app.inject({
    method: 'POST',
    url: '/v1/documents/parse',
    headers: {
      authorization: `Bearer ${test.key().secret}`,
      'content-type': whole.headers.get('content-type')!,
      ...headers,
    },
    payload: Buffer.from(await whole.arrayBuffer()),
  });
}

const model = 'svc-parse-pro';

describe('a document sent as a form', () => {
  it('reaches the engine as the bytes of its part; fields have the types of the schema', async () => {
    const { seen, test } = openReader();
    const fields = { model, pages: '1', include_hidden: 'true', output_format: 'json' };
    const answer = await sendForm(test, fields, { file: bytes });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(seen).toEqual([bytes]);
  });

  it.each([
    ['a value of another type', { model, include_hidden: 'perhaps' }, 'invalid_value', 'include_hidden'],
    ['an unknown field', { model, colour: 'red' }, 'unknown_parameter', 'colour'],
    ['a file among the fields', { model, file: 'x' }, 'invalid_value', 'file'],
    ['a field that is a prototype', { model, __proto: '1' }, 'unknown_parameter', '__proto'],
    ['no model', {}, 'missing_field', 'model'],
  ])('is refused for %s, by its name', async (_what, fields, code, param) => {
    const { seen, test } = openReader();
    const files: Record<string, Buffer> = 'file' in fields ? {} : { file: bytes };
    const answer = await sendForm(test, fields as Fields, files);
    expect(answer.json().error).toMatchObject({ code, param });
    expect(seen).toEqual([]);
  });

  it('needs its file, under the name of the field', async () => {
    const { test } = openReader();
    expect((await sendForm(test, { model }, {})).json().error).toMatchObject({
      code: 'missing_field',
      param: 'file',
    });
    const other = await sendForm(test, { model }, { document: bytes });
    expect(other.json().error).toMatchObject({ code: 'unknown_parameter', param: 'document' });
  });

  it('is one request under its Idempotency-Key; other bytes are another', async () => {
    const { seen, test } = openReader();
    const key = test.key();
    const headers = { 'idempotency-key': 'once', authorization: `Bearer ${key.secret}` };
    for (const _turn of [1, 2])
      expect((await sendForm(test, { model }, { file: bytes }, headers)).statusCode).toBe(200);
    expect(seen).toHaveLength(1);
    const other = await sendForm(test, { model }, { file: Buffer.from('others') }, headers);
    expect(other.statusCode).toBe(422);
  });

  it('is not taken where an operation has no file', async () => {
    const { test } = openReader();
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await send(test, '/v1/embeddings', test.key(), { body: '--x--', headers });
    expect([answer.statusCode, codeOf(answer)]).toEqual([415, 'unsupported_media_type']);
  });
});
