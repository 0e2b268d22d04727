import { describe, expect, it } from 'vitest';
import { createClient } from '../../renderer/src/api/client.ts';
import { establishSession, takeToken } from '../../renderer/src/api/session.ts';
import { fakeTransport, problem } from './support/fake-transport.ts';

describe('takeToken', () => {
  it.each([
    ['http://127.0.0.1:8787/#token=abc', 'abc', '/'],
    ['http://127.0.0.1:8787/?token=abc', 'abc', '/'],
    ['http://127.0.0.1:8787/?a=1&token=abc#/keys', 'abc', '/?a=1#/keys'],
    ['http://127.0.0.1:8787/#/keys', null, '/#/keys'],
    ['http://127.0.0.1:8787/#/documents?sample=invoice', null, '/#/documents?sample=invoice'],
  ])('%s', (address, token, rest) => {
    expect(takeToken(address)).toEqual({ token, rest });
  });
});

function fakeWindow(address: string, lokal?: { consoleToken(): Promise<string> }) {
  const replaced: string[] = [];
  const history = { replaceState: (_state: unknown, _title: string, url: string) => replaced.push(url) };
  return { view: { location: { href: address }, history, lokal } as unknown as Window, replaced };
}

describe('establishSession', () => {
  it('exchanges the token and strips it from the address', async () => {
    const { transport, asked } = fakeTransport({ 'POST /console/session': () => ({ ok: true }) });
    const { view, replaced } = fakeWindow('http://h/#token=abc');
    await establishSession(createClient(transport), view);
    expect(replaced).toEqual(['/']);
    expect(asked).toMatchObject([{ operation: 'POST /console/session', body: { token: 'abc' } }]);
  });

  it('asks the desktop bridge where the address has none', async () => {
    const { transport, asked } = fakeTransport({ 'POST /console/session': () => ({ ok: true }) });
    const { view } = fakeWindow('http://h/', { consoleToken: async () => 'from-desktop' });
    await establishSession(createClient(transport), view);
    expect(asked).toMatchObject([{ body: { token: 'from-desktop' } }]);
  });

  it('asks nothing without either, and survives a refusal', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/session': () => problem(401, 'session_required'),
    });
    await establishSession(createClient(transport), fakeWindow('http://h/').view);
    expect(asked).toEqual([]);
    await expect(
      establishSession(createClient(transport), fakeWindow('http://h/#token=used').view),
    ).resolves.toBe(undefined);
  });
});
