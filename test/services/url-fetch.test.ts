import { describe, expect, it } from 'vitest';
import {
  checkUrl,
  createUrlFetcher,
  isPublicAddress,
  type UrlPolicy,
} from '../../server/services/url-fetch.ts';

const any: UrlPolicy = { mode: 'any', allowlist: [] };
const signal = new AbortController().signal;
const fetcher = (policy: UrlPolicy) =>
  createUrlFetcher(
    () => policy,
    () => ({ maxBytes: 1000, timeoutMs: 2000 }),
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
    await expect(fetcher(any).fetch(url, 'file_url', signal)).rejects.toMatchObject({
      code: 'url_not_allowed',
      message: expect.stringMatching(/not public/),
    });
  });

  it('dials a private host that is on the allowlist', async () => {
    const listed: UrlPolicy = { mode: 'allowlist', allowlist: ['127.0.0.1'] };
    // Nothing listens with TLS on port 1, and that is what is reported: the address itself was let through.
    const fetching = fetcher(listed).fetch('https://127.0.0.1:1/', 'file_url', signal);
    await expect(fetching).rejects.toMatchObject({ message: expect.stringMatching(/cannot be reached/) });
  });
});
