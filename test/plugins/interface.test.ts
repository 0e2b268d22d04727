import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/app/folder.ts';
import { sendRaw } from '../support/app/raw-request.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

const html = { accept: 'text/html,*/*;q=0.8' };

function open() {
  const interfaceFolder = temporaryFolder();
  mkdirSync(join(interfaceFolder, 'assets'));
  writeFileSync(join(interfaceFolder, 'index.html'), '<!doctype html><title>Lokal</title>');
  writeFileSync(join(interfaceFolder, 'assets', 'main-1a2b.js'), 'void 0;');
  return openTestApp({ interfaceFolder });
}

describe('the interface', () => {
  it.each(['/', '/?x=1', '/some-page'])('is there at %s, under a strict policy', async (path) => {
    const page = await send(open(), path, null, { headers: html });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<title>Lokal</title>');
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it.each(['/keys', '/threats/rules', '/documents?sample=1'])('leads from %s to its page', async (path) => {
    const answer = await send(open(), path, null, { headers: html });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `/#${path}`]);
  });

  it('keeps files that carry their hash', async () => {
    const script = await send(open(), '/assets/main-1a2b.js', null);
    expect(script.statusCode).toBe(200);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each(['/v1/nothing', '/console/nothing', '/assets/gone.js'])(
    'does not stand in for %s',
    async (path) => {
      const answer = await send(open(), path, null, { headers: html });
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found']);
    },
  );

  it('gives programs no page', async () => {
    const answer = await send(open(), '/keys', null, { headers: { accept: 'application/json' } });
    expect(answer.statusCode).toBe(404);
  });

  it.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
  ])('does not leave its folder for %s', async (path) => {
    const { app } = open();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const answer = await sendRaw(
      port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not_found"');
  });
});
