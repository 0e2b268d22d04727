/** Requests made from the schemas, whole and damaged: no 5xx, every answer fits its schema, every error is in the table. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../server/api/common.ts';
import { type OperationSpec, operations, splitOperation } from '../../server/api/operations.ts';
import { errorTable, isErrorCode } from '../../server/errors.ts';
import { startTestServer, type TestServer } from '../support/running-server.ts';
import { fromSchema } from '../support/schema-arbitrary.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validateError = ajv.compile(plain(ErrorEnvelope));
const inference = (Object.entries(operations) as [string, OperationSpec][]).filter(
  ([, spec]) => spec.inference,
);

function plain(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}

const models: Record<string, string[]> = {
  'POST /v1/chat/completions': ['svc-lingua-7b'],
  'POST /v1/responses': ['svc-lingua-7b'],
  'POST /v1/messages': ['svc-lingua-7b'],
  'POST /v1/messages/count_tokens': ['svc-lingua-7b'],
  'POST /v1/completions': ['svc-lingua-7b'],
  'POST /v1/tokenize': ['svc-lingua-7b'],
  'POST /v1/rerank': ['svc-embed-base'],
  'POST /mcp': [],
  'POST /api/chat': ['svc-lingua-7b:latest'],
  'POST /api/generate': ['svc-lingua-7b'],
  'POST /api/embed': ['svc-embed-base'],
  'POST /v1/images/analyze': ['svc-vision-pro'],
  'POST /v1/moderations': ['svc-shield-base', 'svc-guard-max'],
  'POST /v1/documents/parse': ['svc-parse-pro'],
  'POST /v1/documents/redact': ['svc-parse-pro'],
  'POST /v1/text/anonymize': ['svc-shield-base'],
  'POST /v1/text/deanonymize': ['svc-shield-base'],
  'POST /v1/embeddings': ['svc-embed-base'],
};

/** Plausible requests, so that most of them get past the first check. */
const bodyOf = (key: string, spec: OperationSpec) =>
  fc
    .tuple(fromSchema(plain(spec.body!)), fc.constantFrom(...models[key]!, 'svc-unknown'))
    .map(([body, model]) => ({ ...(body as object), model }));

async function ask(
  key: string,
  body: string,
): Promise<{ status: number; text: string; type: string; id: string | null }> {
  const { method, path } = splitOperation(key);
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.test}`, 'content-type': 'application/json' },
    body,
  });
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get('content-type') ?? '',
    id: response.headers.get('x-request-id'),
  };
}

function check(spec: OperationSpec, answer: Awaited<ReturnType<typeof ask>>): void {
  expect(answer.id).toBeTruthy();
  // A message of the Model Context Protocol that wants no answer.
  if (answer.status === 202) return;
  if (answer.status !== 200) checkError(spec, answer);
  else if (answer.type.startsWith('text/event-stream')) checkEvents(spec, answer.text);
  else if (answer.type === 'application/x-ndjson') checkLines(spec, answer.text);
  else checkWhole(spec, answer.text);
}

function checkLines(spec: OperationSpec, text: string): void {
  for (const line of text.trim().split('\n')) checkWhole({ ...spec, response: spec.event! }, line);
}

function checkWhole(spec: OperationSpec, text: string): void {
  const validate = ajv.compile(plain(spec.response));
  expect(validate(JSON.parse(text)), ajv.errorsText(validate.errors)).toBe(true);
}

function checkError(spec: OperationSpec, { status, text }: { status: number; text: string }): void {
  const body = JSON.parse(text);
  if (spec.dialect === 'ollama') {
    expect(body).toEqual({ error: expect.any(String) });
    expect(status).toBeLessThan(500);
    return;
  }
  expect(validateError(body), ajv.errorsText(validateError.errors)).toBe(true);
  const { code, type } = body.error;
  expect(isErrorCode(code), code).toBe(true);
  const expected = errorTable[code as keyof typeof errorTable];
  // Anthropic's clients know other types.
  expect({ status, type }).toEqual({ status, type: spec.dialect === 'messages' ? type : expected.type });
  expect(expected.status).toBe(status);
  expect(status).toBeLessThan(500);
}

function checkEvents(spec: OperationSpec, text: string): void {
  const events = text.trim().split('\n\n');
  if (!spec.dialect) expect(events.pop()).toBe('data: [DONE]');
  const validate = ajv.compile(plain(spec.event!));
  for (const event of events) {
    expect(
      validate(JSON.parse(event.replace(/^(event: .*\n)?data: /, ''))),
      ajv.errorsText(validate.errors),
    ).toBe(true);
  }
}

describe.each(inference)('%s', (key, spec) => {
  it('answers requests made from its schema', async () => {
    await fc.assert(
      fc.asyncProperty(bodyOf(key, spec), async (body) => check(spec, await ask(key, JSON.stringify(body)))),
      { numRuns: 60 },
    );
  });

  it('refuses damaged requests with an error of the table', async () => {
    const damaged = fc.oneof(
      fc.anything().map((value) => JSON.stringify(value) ?? 'undefined'),
      fc
        .tuple(bodyOf(key, spec), fc.string(), fc.jsonValue())
        .map(([body, name, value]) => JSON.stringify({ ...body, [name]: value })),
      bodyOf(key, spec).map((body) => JSON.stringify(body).slice(0, -1)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (text) => check(spec, await ask(key, text))),
      { numRuns: 60 },
    );
  });
});
