/** Files and batches: kept sealed, answered line by line, ended, gone on with, and nobody else's. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../server/api/protocols/batches.ts';
import type { GenerateEvent, GenerateParams } from '../../server/engine/chat/types.ts';
import { commandSession } from '../../server/services/console/sessions.ts';
import { issuePlaygroundKey } from '../../server/services/keys/playground.ts';
import { codeOf, openTestApp, send, type TestApp, type TestAppOptions } from '../support/app/test-app.ts';

const secretWords = 'the code of the safe';
const chat = '/v1/chat/completions';
type Key = { secret: string };

const line = (id: string, content: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: chat,
    body: { model: 'svc-lingua-7b', messages: [{ role: 'user', content }], ...more },
  });

function answering(hold: (params: GenerateParams, signal: AbortSignal) => Promise<void> = async () => {}) {
  const asked: string[] = [];
  async function* generate(params: GenerateParams, { signal }: { signal: AbortSignal }) {
    const text = String(params.messages.at(-1)?.content);
    asked.push(text);
    await hold(params, signal);
    yield { kind: 'prompt', tokens: 5 } satisfies GenerateEvent;
    yield { kind: 'text', choice: 0, text: `re: ${text}` } satisfies GenerateEvent;
    yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 2 } satisfies GenerateEvent;
  }
  return { asked, methods: { chat: { generate } } as unknown as TestAppOptions['methods'] };
}

function upload(
  app: TestApp,
  key: Key,
  content: string,
  fields: Record<string, string> = { purpose: 'batch' },
) {
  const boundary = 'a-boundary';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="in.jsonl"\r\ncontent-type: application/octet-stream\r\n\r\n${content}\r\n`;
  return app.app.inject({
    method: 'POST',
    url: '/v1/files',
    headers: {
      authorization: `Bearer ${key.secret}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: `${parts.join('')}${file}--${boundary}--\r\n`,
  });
}

async function begin(app: TestApp, key: Key, lines: string[], endpoint = chat): Promise<Batch> {
  const { id } = (await upload(app, key, lines.join('\n'))).json();
  const body = { input_file_id: id, endpoint, completion_window: '24h' };
  const response = await send(app, '/v1/batches', key, { body });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const read = async (app: TestApp, key: Key, id: string): Promise<Batch> =>
  (await send(app, `/v1/batches/${id}`, key)).json();

async function until(
  app: TestApp,
  key: Key,
  { id, is }: { id: string; is: (batch: Batch) => boolean },
): Promise<Batch> {
  for (;;) {
    const batch = await read(app, key, id);
    if (is(batch)) return batch;
    await sleep(10);
  }
}

const isDone = ({ status }: Batch) => ['completed', 'failed', 'cancelled', 'expired'].includes(status);

async function linesOf(app: TestApp, key: Key, file: string | null) {
  const { body } = await send(app, `/v1/files/${file}/content`, key, {
    headers: { accept: 'application/binary' },
  });
  return body
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
}

/** As the console reads it, whatever became of its key. */
async function over(app: TestApp, id: string, owner: string): Promise<Batch> {
  for (;;) {
    const batch = app.services.batches.get(id, owner);
    if (isDone(batch)) return batch;
    await sleep(5);
  }
}

const rowsOf = (app: TestApp, file: string | null, owner: string) =>
  app.services.files
    .content(file!, owner)
    .toString()
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));

describe('a file', () => {
  it('is read and forgotten by its key alone, and lies sealed', async () => {
    const app = openTestApp();
    const key = app.key();
    const response = await upload(app, key, secretWords);
    expect(response.json()).toMatchObject({
      object: 'file',
      filename: 'in.jsonl',
      bytes: secretWords.length,
      purpose: 'batch',
      status: 'processed',
    });
    const { id } = response.json();
    expect((await send(app, '/v1/files', key)).json()).toMatchObject({
      data: [{ id }],
      has_more: false,
      first_id: id,
    });
    expect((await send(app, `/v1/files/${id}/content`, key)).body).toBe(secretWords);
    const other = app.key();
    for (const path of [`/v1/files/${id}`, `/v1/files/${id}/content`])
      expect((await send(app, path, other)).statusCode).toBe(404);
    expect((await send(app, `/v1/files/${id}`, other, { method: 'DELETE' })).statusCode).toBe(404);
    for (const row of app.db.prepare('SELECT head, content FROM sealed_records').all() as object[])
      expect(Buffer.concat(Object.values(row)).includes('safe')).toBe(false);
    expect((await send(app, `/v1/files/${id}`, key, { method: 'DELETE' })).json()).toEqual({
      id,
      object: 'file',
      deleted: true,
    });
    expect((await send(app, `/v1/files/${id}`, key)).statusCode).toBe(404);
  });

  it('goes with its own time, and with that of the settings', async () => {
    const app = openTestApp({ settings: { files_days: 2 } });
    const key = app.key();
    const short = await upload(app, key, 'a', {
      purpose: 'batch',
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': '3600',
    });
    expect(short.json().expires_at - short.json().created_at).toBe(3600);
    const { id } = (await upload(app, key, 'b')).json();
    app.clock.advance(3_601_000);
    app.services.deleteExpired();
    const listed = async () =>
      (await send(app, '/v1/files', key)).json().data.map((file: { id: string }) => file.id);
    expect(await listed()).toEqual([id]);
    app.clock.advance(2 * 86_400_000);
    expect(await listed()).toEqual([]);
  });

  it('is refused by the field that is wrong', async () => {
    const app = openTestApp({ settings: { body_limit_mb: 1 } });
    const key = app.key();
    const refusal = async (content: string, fields: Record<string, string>) => {
      const { error } = (await upload(app, key, content, fields)).json();
      return [error.code, error.param];
    };
    expect(await refusal('a', {})).toEqual(['missing_field', 'purpose']);
    expect(await refusal('a', { purpose: 'fine-tune' })).toEqual(['invalid_value', 'purpose']);
    expect(await refusal('a', { purpose: 'batch', colour: 'red' })).toEqual(['unknown_parameter', 'colour']);
    expect(await refusal('', { purpose: 'batch' })).toEqual(['invalid_value', 'file']);
    expect(await refusal('a'.repeat(1024 * 1024 + 1), { purpose: 'batch' })).toEqual([
      'payload_too_large',
      null,
    ]);
    const json = await send(app, '/v1/files', key, { body: { purpose: 'batch' } });
    expect(codeOf(json)).toBe('unsupported_media_type');
    app.services.settings.update({ files_days: 0 });
    expect(codeOf(await upload(app, key, 'a'))).toBe('conflict');
  });
});

describe('a batch', () => {
  it('answers each line, errors by line, and counts its use', async () => {
    const app = openTestApp(answering());
    const key = app.key();
    const { id, status } = await begin(app, key, [
      line('one', 'A'),
      '',
      line('two', 'B', { temperature: 9 }),
      line('three', 'C', { stream: true }),
      line('four', 'D'),
    ]);
    expect(status).toBe('validating');
    const batch = await until(app, key, { id, is: isDone });
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 4, completed: 2, failed: 2 },
      usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
      errors: null,
    });
    const output = await linesOf(app, key, batch.output_file_id);
    expect(
      output.map((each) => [
        each.custom_id,
        each.response.status_code,
        each.response.body.choices[0].message.content,
      ]),
    ).toEqual([
      ['one', 200, 're: A'],
      ['four', 200, 're: D'],
    ]);
    const errors = await linesOf(app, key, batch.error_file_id);
    expect(
      errors.map((each) => [each.custom_id, each.response.status_code, each.response.body.error.param]),
    ).toEqual([
      ['two', 400, 'temperature'],
      ['three', 400, 'stream'],
    ]);
    const [day] = app.services.usage.report(1);
    expect(day).toMatchObject({ requests: 2, prompt_tokens: 10, completion_tokens: 4 });
    expect(app.db.prepare('SELECT count(*) FROM batch_lines').pluck().get()).toBe(0);
  });

  it('of a command is the person’s own, seen in the interface, and counts as the command line’s', async () => {
    const app = openTestApp({ methods: answering().methods });
    const { keyDirectory } = app.services;
    const command = issuePlaygroundKey(keyDirectory, commandSession(), app.clock.ms);
    const page = issuePlaygroundKey(keyDirectory, 'ses_0', app.clock.ms);
    const { id } = await begin(app, command, [line('1', 'one')]);
    await until(app, page, { id, is: isDone });
    await begin(app, page, [line('1', 'one')]).then((batch) =>
      until(app, command, { id: batch.id, is: isDone }),
    );
    const shown = await send(app, '/console/batches', null, { headers: app.session() });
    const names = shown.json().data.map((batch: { key_name: string }) => batch.key_name);
    expect(names.toSorted()).toEqual(['Command line', 'Playground']);
    expect(app.services.usage.report(1).map((row) => [row.key_name, row.requests])).toEqual(
      expect.arrayContaining([
        ['Command line', 1],
        ['Playground', 1],
      ]),
    );
  });

  it('fails as a whole where lines are none, each named', async () => {
    const app = openTestApp(answering());
    const key = app.key();
    const other = JSON.stringify({ ...JSON.parse(line('c', 'C')), url: '/v1/embeddings' });
    const { id } = await begin(app, key, [line('a', 'A'), '{', line('a', 'B'), other]);
    const batch = await until(app, key, { id, is: isDone });
    expect(batch.status).toBe('failed');
    expect(batch.errors?.data.map(({ code, line: number }) => [code, number])).toEqual([
      ['invalid_json_line', 2],
      ['duplicate_custom_id', 3],
      ['mismatched_endpoint', 4],
    ]);
  });

  it('is cancelled in the middle; what was answered stays', async () => {
    const engine = answering((params, signal) =>
      params.messages[0]?.content === 'A'
        ? Promise.resolve()
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const app = openTestApp(engine);
    const key = app.key();
    const { id } = await begin(app, key, [line('a', 'A'), line('b', 'B'), line('c', 'C'), line('d', 'D')]);
    await until(app, key, { id, is: ({ request_counts: counts }) => counts.completed === 1 });
    const cancelled = await send(app, `/v1/batches/${id}/cancel`, key, { method: 'POST' });
    expect(cancelled.json().status).toBe('cancelling');
    const batch = await until(app, key, { id, is: isDone });
    expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 4, completed: 1 } });
    expect(batch.cancelling_at).not.toBeNull();
    expect(await linesOf(app, key, batch.output_file_id)).toHaveLength(1);
    expect(engine.asked).not.toContain('D');
    expect(codeOf(await send(app, `/v1/batches/${id}/cancel`, key, { method: 'POST' }))).toBe('conflict');
  });

  it('goes on behind its last answer after a restart', async () => {
    const installKey = randomBytes(32);
    const first = answering((params, signal) =>
      params.messages[0]?.content === 'A'
        ? Promise.resolve()
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const before = openTestApp({ ...first, installKey });
    const key = before.key();
    const { id } = await begin(before, key, [line('a', 'A'), line('b', 'B'), line('c', 'C')]);
    await until(before, key, { id, is: ({ request_counts: counts }) => counts.completed === 1 });
    await before.app.close();
    const second = answering();
    const after = openTestApp({ ...second, installKey, file: before.file });
    const batch = await until(after, key, { id, is: isDone });
    expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3 } });
    expect(second.asked.toSorted()).toEqual(['B', 'C']);
    const output = await linesOf(after, key, batch.output_file_id);
    expect(output.map(({ custom_id }) => custom_id)).toEqual(['a', 'b', 'c']);
  });

  it('waits while somebody works interactively', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const engine = answering((params) =>
      params.messages[0]?.content === 'interactive' ? held : Promise.resolve(),
    );
    const app = openTestApp(engine);
    const key = app.key();
    const messages = [{ role: 'user', content: 'interactive' }];
    const interactive = send(app, chat, key, { body: { model: 'svc-lingua-7b', messages } });
    while (engine.asked.length === 0) await sleep(5);
    const { id } = await begin(app, key, [line('a', 'A')]);
    await until(app, key, { id, is: ({ status }) => status === 'in_progress' });
    await sleep(200);
    expect(engine.asked).toEqual(['interactive']);
    release();
    await interactive;
    await until(app, key, { id, is: isDone });
    expect(engine.asked).toEqual(['interactive', 'A']);
  });

  it('expires after a day, with a line for each that was not begun', async () => {
    const app = openTestApp(answering());
    const key = app.key();
    const { id } = await begin(app, key, [line('a', 'A'), line('b', 'B')]);
    app.clock.advance(25 * 3_600_000);
    const batch = await until(app, key, { id, is: isDone });
    expect(batch).toMatchObject({ status: 'expired', output_file_id: null });
    const errors = await linesOf(app, key, batch.error_file_id);
    expect(errors.map(({ custom_id, error }) => [custom_id, error.code])).toEqual([
      ['a', 'batch_expired'],
      ['b', 'batch_expired'],
    ]);
  });

  it('ends with its key, and needs the scope of what it asks for', async () => {
    const engine = answering(
      (_, signal) =>
        new Promise((_ok, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const app = openTestApp(engine);
    const key = app.key();
    const narrow = app.key({ scopes: ['embeddings'] });
    const { id: file } = (await upload(app, narrow, line('a', 'A'))).json();
    const body = { input_file_id: file, endpoint: chat, completion_window: '24h' };
    expect(codeOf(await send(app, '/v1/batches', narrow, { body }))).toBe('insufficient_scope');
    const foreign = await send(app, '/v1/batches', key, { body });
    expect([foreign.statusCode, foreign.json().error.param]).toEqual([404, 'input_file_id']);
    const { id } = await begin(app, key, [line('a', 'A')]);
    while (engine.asked.length === 0) await sleep(5);
    app.services.keys.revoke(key.id, 'owner');
    while (app.services.batches.get(id, key.id).status !== 'failed') await sleep(5);
    expect(app.services.batches.get(id, key.id).errors?.data[0]?.code).toBe('revoked_api_key');
  });

  describe('whose key ends', () => {
    /** Answers the first line and holds the second until its signal. */
    const holding = () =>
      answering((params, signal) =>
        params.messages[0]?.content === 'A'
          ? Promise.resolve()
          : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      );
    const lines = [line('a', 'A'), line('b', 'B'), line('c', 'C'), line('d', 'D')];

    it('by revocation, keeps what was answered and fails the rest by line', async () => {
      const engine = holding();
      const app = openTestApp(engine);
      const key = app.key();
      const { id } = await begin(app, key, lines);
      await until(app, key, { id, is: ({ request_counts: counts }) => counts.completed === 1 });
      app.services.keys.revoke(key.id, 'owner');
      const ended = await over(app, id, key.id);
      expect(ended).toMatchObject({
        status: 'failed',
        errors: { data: [{ code: 'revoked_api_key', line: null }] },
        request_counts: { total: 4, completed: 1, failed: 3 },
      });
      expect(rowsOf(app, ended.output_file_id, key.id).map(({ custom_id }) => custom_id)).toEqual(['a']);
      expect(
        rowsOf(app, ended.error_file_id, key.id).map((row) => [row.custom_id, row.response, row.error.code]),
      ).toEqual(['b', 'c', 'd'].map((name) => [name, null, 'revoked_api_key']));
      expect(engine.asked).not.toContain('D');
    });

    it('by its expiry, asks nothing more, also of a batch that waited', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const engine = answering(() => held);
      const app = openTestApp(engine);
      const key = app.key({ expires: app.clock.seconds + 60 });
      const { id } = await begin(app, key, lines);
      const waiting = await begin(app, key, [line('e', 'E')]);
      while (engine.asked.length < 2) await sleep(5);
      app.clock.advance(61_000);
      release();
      // Those under way had been admitted before.
      expect(await over(app, id, key.id)).toMatchObject({
        status: 'failed',
        errors: { data: [{ code: 'expired_api_key' }] },
        request_counts: { total: 4, completed: 2, failed: 2 },
      });
      expect(await over(app, waiting.id, key.id)).toMatchObject({ status: 'failed', output_file_id: null });
      expect(engine.asked.toSorted()).toEqual(['A', 'B']);
    });

    it('by rotation, goes on under the key that replaces it, which has its files', async () => {
      const engine = holding();
      const app = openTestApp(engine);
      const key = app.key();
      const { id } = await begin(app, key, lines);
      await until(app, key, { id, is: ({ request_counts: counts }) => counts.completed === 1 });
      const gone = app.services.keys.rotate(key.id, 0, 'owner');
      while (engine.asked.filter((text) => text === 'B').length < 2) await sleep(5);
      expect((await send(app, `/v1/batches/${id}`, key)).statusCode).toBe(401);
      const newest = app.services.keys.rotate(gone.id, 60, 'owner');
      for (const each of [gone, newest]) {
        expect(await read(app, each, id)).toMatchObject({ status: 'in_progress' });
        const { data } = (await send(app, '/v1/files', each)).json();
        expect(data).toHaveLength(1);
      }
      app.services.keys.revoke(newest.id, 'owner');
      app.clock.advance(61_000);
      app.services.keys.revoke(gone.id, 'owner');
      expect(await over(app, id, key.id)).toMatchObject({
        status: 'failed',
        request_counts: { completed: 1, failed: 3 },
      });
    });

    it('by rotation amid its lines, is completed', async () => {
      const engine = answering();
      const app = openTestApp(engine);
      const key = app.key();
      const { id } = await begin(app, key, lines);
      const replacement = app.services.keys.rotate(key.id, 0, 'owner');
      const batch = await until(app, replacement, { id, is: isDone });
      expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 4 } });
      expect(await linesOf(app, replacement, batch.output_file_id)).toHaveLength(4);
      const used = app.services.usage.report(1).map(({ key_id, requests }) => [key_id, requests]);
      expect(used).toEqual([[replacement.id, 4]]);
    });

    it('loses a scope: its lines are refused one by one', async () => {
      const engine = answering();
      const app = openTestApp(engine);
      const key = app.key({ scopes: ['chat', 'embeddings'] });
      const { id } = await begin(app, key, [line('a', 'A')]);
      app.services.keys.update(key.id, { scopes: ['embeddings'] }, 'owner');
      const batch = await over(app, id, key.id);
      expect(batch.request_counts).toMatchObject({ completed: 0, failed: 1 });
      expect(engine.asked).toEqual([]);
    });
  });

  it('of a test key is a fixture: the same answers, never an engine', async () => {
    const engine = answering();
    const app = openTestApp(engine);
    const key = app.key({ class: 'test' });
    const results = [];
    for (let run = 0; run < 2; run += 1) {
      const begun = await begin(app, key, [line('a', 'A'), line('b', 'B', { top_p: 2 })]);
      const batch = await until(app, key, { id: begun.id, is: isDone });
      const output = await linesOf(app, key, batch.output_file_id);
      results.push({ begun, batch, output, errors: await linesOf(app, key, batch.error_file_id) });
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.output[0].response.body.object).toBe('chat.completion');
    expect(engine.asked).toEqual([]);
    expect(app.services.usage.report(1)).toEqual([]);
  });
});
