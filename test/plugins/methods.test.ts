import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/app/raw-request.ts';
import { codeOf, openTestApp, send } from '../support/app/test-app.ts';

async function ask(line: string, headers = ''): Promise<string> {
  const { app } = openTestApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return sendRaw(port, `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n`);
}

describe('a method that no route has', () => {
  it.each(['QUERY', 'PROPFIND', 'DELETE', 'BREW', 'x-own'])(
    '%s is 405 with what is allowed',
    async (method) => {
      const answer = await ask(`${method} /v1/models`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(/^allow: GET, HEAD\r$/im);
      expect(answer).toContain('"code":"method_not_allowed"');
      expect(answer).toMatch(/^x-request-id: req_/m);
    },
  );

  it.each(['QUERY', 'GET', 'BREW'])('%s of an unknown path is 404', async (method) => {
    const answer = await ask(`${method} /v1/nothing?a=b`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not_found"');
  });

  it.each(['(GET) /v1/models', ' /v1/models'])('is not %j, which is no token', async (line) => {
    expect(await ask(line)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a type without a body, as the official SDKs send it', () => {
  it.each([
    ['DELETE', '/v1/files/file-none', 'application/json', 404],
    ['DELETE', '/v1/responses/resp_none', 'application/json', 400],
    ['POST', '/v1/batches/batch_none/cancel', 'application/json', 404],
    ['POST', '/v1/embeddings', 'application/json', 400],
    ['POST', '/v1/files', 'multipart/form-data; boundary=x', 400],
  ])('%s %s is answered', { timeout: 5_000 }, async (method, path, type, status) => {
    const test = openTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const head = ['Host: 127.0.0.1', 'Connection: close', `Authorization: Bearer ${test.key().secret}`];
    const lines = [`${method} ${path} HTTP/1.1`, ...head, `Content-Type: ${type}`, '', ''];
    expect(await sendRaw(port, lines.join('\r\n'))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('a key that may not be used from here', () => {
  it.each([
    ['GET', '/v1/embeddings'],
    ['GET', '/v1/nope'],
    ['QUERY', '/v1/models'],
    ['DELETE', '/'],
  ])('is told so before it is told of %s %s', async (method, path) => {
    const test = openTestApp();
    const key = test.key({ allowed_cidrs: ['10.0.0.0/8'] });
    const ask = (from: string) => send(test, path, key, { method: method as 'GET', from });
    expect(codeOf(await ask('192.168.0.1'))).toBe('ip_not_allowed');
    expect([404, 405]).toContain((await ask('10.1.2.3')).statusCode);
  });
});

describe('two Host headers', () => {
  it.each(['Host: 127.0.0.1', 'host: evil.example'])('are refused: %s', async (second) => {
    const answer = await ask('GET /healthz', `${second}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('two Host headers');
  });
});
