import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../../renderer/src/api/client.ts';
import { memorySecret } from '../../renderer/src/api/page-secret.ts';
import { establishSession, followAddress, takeToken } from '../../renderer/src/api/session.ts';
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

type Listener = () => void;

function fakeWindow(address: string, lokal?: { consoleToken(): Promise<string> }) {
  const replaced: string[] = [];
  const listeners: Listener[] = [];
  const history = { replaceState: (_state: unknown, _title: string, url: string) => replaced.push(url) };
  const location = { href: address, reload: () => replaced.push('reload') };
  const addEventListener = (_name: string, listener: Listener) => listeners.push(listener);
  return { view: { location, history, lokal, addEventListener } as unknown as Window, replaced, listeners };
}

const started = { 'POST /console/session': () => ({ secret: 's2', idle_seconds: 1 }) };

describe('establishSession', () => {
  it('exchanges the token, strips it from the address and keeps the secret', async () => {
    const { transport, asked } = fakeTransport(started);
    const { view, replaced } = fakeWindow('http://h/#token=abc');
    const secret = memorySecret();
    await establishSession(createClient(transport), secret, view);
    expect(replaced).toEqual(['/']);
    expect(asked).toMatchObject([{ operation: 'POST /console/session', body: { token: 'abc' } }]);
    expect(secret.get()).toBe('s2');
  });

  it('asks the desktop bridge where the address has none and no session lives', async () => {
    const { transport, asked } = fakeTransport({
      ...started,
      'GET /console/state': () => problem(401, 'session_required'),
    });
    const { view } = fakeWindow('http://h/', { consoleToken: async () => 'from-desktop' });
    const secret = memorySecret('old');
    await establishSession(createClient(transport, secret), secret, view);
    expect(asked).toMatchObject([
      { operation: 'GET /console/state' },
      { operation: 'POST /console/session', body: { token: 'from-desktop' } },
    ]);
    expect(secret.get()).toBe('s2');
  });

  it('leaves a session of the desktop window that lives', async () => {
    const { transport, asked } = fakeTransport({
      'GET /console/state': () => new Response('{}', { status: 200 }),
    });
    const { view } = fakeWindow('http://h/', { consoleToken: () => Promise.reject(new Error('asked')) });
    const secret = memorySecret('kept');
    await establishSession(createClient(transport, secret), secret, view);
    expect(asked[0]?.headers.get('x-console-secret')).toBe('kept');
    expect(secret.get()).toBe('kept');
  });

  it('asks nothing without either, and survives a refusal', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/session': () => problem(401, 'session_required'),
    });
    const secret = memorySecret();
    await establishSession(createClient(transport), secret, fakeWindow('http://h/').view);
    expect(asked).toEqual([]);
    const used = fakeWindow('http://h/#token=used').view;
    await expect(establishSession(createClient(transport), secret, used)).resolves.toBe(undefined);
  });
});

describe('followAddress', () => {
  it('takes a one-time address that is pasted into the open tab', async () => {
    const { transport } = fakeTransport(started);
    const { view, replaced, listeners } = fakeWindow('http://h/#/keys');
    const secret = memorySecret();
    followAddress(createClient(transport), secret, view);
    listeners[0]?.();
    expect(replaced).toEqual([]);
    view.location.href = 'http://h/#token=abc';
    listeners[0]?.();
    await vi.waitFor(() => expect(replaced).toEqual(['/', 'reload']));
    expect(secret.get()).toBe('s2');
  });
});
