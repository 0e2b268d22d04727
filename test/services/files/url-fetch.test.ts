import { describe, expect, it } from 'vitest';
import type { SettingsPatch } from '../../../server/api/console/console.ts';
import {
  checkUrl,
  createUrlFetcher,
  isPublicAddress,
  type UrlPolicy,
} from '../../../server/services/files/url-fetch.ts';
import { openTestApp, send } from '../../support/app/test-app.ts';
import { makeCaller } from '../../support/caller.ts';

const any: UrlPolicy = { mode: 'any', allowlist: [] };
const fetcher = (policy: UrlPolicy) =>
  createUrlFetcher(
    () => policy,
    () => ({ maxBytes: 1000, timeoutMs: 2000 }),
    openTestApp().services.connections,
  );

describe('checkUrl', () => {
  it('wants https and no credentials', () => {
    expect(() => checkUrl('http://example.com/a.pdf', 'file_url', any)).toThrow(/https/);
    expect(() => checkUrl('file:///etc/passwd', 'file_url', any)).toThrow(/https/);
    expect(() => checkUrl('not a url', 'file_url', any)).toThrow(/not a URL/);
    expect(() => checkUrl('https://user:secret@example.com/', 'file_url', any)).toThrow(/credentials/);
  });

  it('says how to allow fetching when it is off', () => {
    const off: UrlPolicy = { mode: 'off', allowlist: ['example.com'] };
    expect(() => checkUrl('https://example.com/a.pdf', 'image_url', off)).toThrow(
      expect.objectContaining({
        code: 'url_fetch_disabled',
        param: 'image_url',
        message: expect.stringMatching(/Settings/),
      }),
    );
  });

  it('keeps to the allowlist', () => {
    const listed: UrlPolicy = { mode: 'allowlist', allowlist: ['files.example.com'] };
    expect(checkUrl('https://FILES.example.com/a', 'file_url', listed).hostname).toBe('files.example.com');
    for (const host of ['example.com', 'files.example.com.evil.test', 'evilfiles.example.com']) {
      expect(() => checkUrl(`https://${host}/`, 'file_url', listed)).toThrow(/allowlist/);
    }
  });
});

describe('isPublicAddress', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::7f00:1',
    '::8.8.8.8',
    'not an address',
  ])('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111'])('accepts %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('fetch', () => {
  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:127.0.0.1]/',
  ])('never dials %s', async (url) => {
    await expect(fetcher(any).fetch(url, 'file_url', makeCaller())).rejects.toMatchObject({
      code: 'url_not_allowed',
      message: expect.stringMatching(/not public/),
    });
  });

  it('dials a private host that is on the allowlist', async () => {
    const listed: UrlPolicy = { mode: 'allowlist', allowlist: ['127.0.0.1'] };
    // Nothing listens with TLS on port 1, and that is what is reported: the address itself was let through.
    const fetching = fetcher(listed).fetch('https://127.0.0.1:1/', 'file_url', makeCaller());
    await expect(fetching).rejects.toMatchObject({ message: expect.stringMatching(/cannot be reached/) });
  });
});

describe('the ledger of connections', () => {
  const ask = async (settings: SettingsPatch, url: string) => {
    const test = openTestApp({ settings });
    const key = test.key({ name: 'Accounts' });
    const answer = await send(test, '/v1/documents/parse', key, {
      body: { model: 'svc-parse-pro', file_url: url },
    });
    const headers = test.session();
    const { data } = (await send(test, '/console/connections', null, { headers })).json();
    return {
      code: answer.json().error?.code,
      data,
      requestId: answer.headers['x-request-id'],
      key,
      test,
      headers,
    };
  };
  const open = { sealed: false, url_fetch: 'allowlist' as const, url_allowlist: ['127.0.0.1'] };

  it.each<[string, SettingsPatch, string, string, string]>([
    ['sealed', {}, 'https://files.example.com/secret/path?token=1', 'url_fetch_disabled', 'sealed'],
    ['off', { sealed: false }, 'https://files.example.com/', 'url_fetch_disabled', 'off'],
    ['not listed', open, 'https://files.example.com/', 'url_not_allowed', 'its host is not on the allowlist'],
    [
      'private',
      { ...open, url_fetch: 'any' },
      'https://10.0.0.1/',
      'url_not_allowed',
      'its address is not public',
    ],
    ['no https', {}, 'http://files.example.com/', 'invalid_value', 'file_url must be an https URL'],
  ])('tells of a connection that was refused: %s', async (_name, settings, url, code, reason) => {
    const asked = await ask(settings, url);
    expect(asked.code).toBe(code);
    expect(asked.data).toEqual([
      {
        sequence: 1,
        time_ms: asked.test.clock.ms,
        key_id: asked.key.id,
        key_name: 'Accounts',
        request_id: asked.requestId,
        host: `${new URL(url).hostname}:443`,
        asked_by: 'file_url',
        outcome: 'refused',
        reason,
      },
    ]);
    expect(JSON.stringify(asked.data)).not.toContain('token');
    const text = (
      await send(asked.test, '/console/connections/export', null, { headers: asked.headers })
    ).json().text;
    expect(JSON.parse(text)).toEqual(asked.data[0]);
  });

  it('tells of one that was dialled, and what came of it', async () => {
    const { code, data } = await ask(open, 'https://127.0.0.1:1/');
    expect(code).toBe('url_not_allowed');
    expect(data).toMatchObject([{ host: '127.0.0.1:1', outcome: 'failed', reason: 'it cannot be reached' }]);
  });

  it('keeps the latest ten thousand', () => {
    const { connections } = openTestApp().services;
    for (let count = 0; count < 10_020; count += 1)
      connections.refuse('a:443', { caller: null, field: 'x' }, 'off');
    const rows = connections.latest(20_000);
    expect([rows.length, rows.at(-1)?.sequence]).toEqual([10_000, 21]);
  });
});

describe('sealed mode', () => {
  it('is how Lokal begins, and is left before anything is fetched', () => {
    const { settings } = openTestApp().services;
    expect(settings.get()).toMatchObject({ sealed: true, url_fetch: 'off' });
    const refusal = expect.objectContaining({ code: 'conflict', param: 'url_fetch' });
    expect(() => settings.update({ url_fetch: 'any' })).toThrow(refusal);
    expect(() => settings.update({ sealed: true, url_fetch: 'any' })).toThrow(refusal);
    expect(settings.get().url_fetch).toBe('off');
    settings.update({ sealed: false, url_fetch: 'any' });
    expect(settings.get().url_fetch).toBe('any');
  });

  it('switches fetching off when it is entered', () => {
    const test = openTestApp({ settings: { sealed: false, url_fetch: 'any' } });
    test.services.settings.update({ sealed: true });
    expect(test.services.settings.get().url_fetch).toBe('off');
    expect(openTestApp({ file: test.file }).services.settings.get()).toMatchObject({
      sealed: true,
      url_fetch: 'off',
    });
  });

  it('had been left where fetching was allowed before there was a seal', () => {
    const test = openTestApp();
    test.stores.settings.set({ url_fetch: 'any' });
    expect(openTestApp({ file: test.file }).services.settings.get()).toMatchObject({
      sealed: false,
      url_fetch: 'any',
    });
  });
});
