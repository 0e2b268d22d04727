import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, pinCertificate } from '../../electron/certificate.ts';
import { createStandIn } from './stand-in.ts';

const body = Buffer.from('3082', 'hex');

describe('pinCertificate', () => {
  const fingerprint = `sha256/${hash('sha256', body, 'base64')}`;

  function verdictOf(hostname: string, seen: string, origin = 'https://localhost:8787'): number | undefined {
    const { session } = createStandIn();
    pinCertificate(session, origin, fingerprint);
    let verdict: number | undefined;
    session.verifyCertificate?.({ hostname, certificate: { fingerprint: seen } }, (given) => {
      verdict = given;
    });
    return verdict;
  }

  it('accepts the own certificate of the own host, whoever issued it', () => {
    expect(verdictOf('localhost', fingerprint)).toBe(0);
    expect(verdictOf('::1', fingerprint, 'https://[::1]:8787')).toBe(0);
  });

  it('leaves everything else to Chromium', () => {
    expect(verdictOf('localhost', 'sha256/other')).toBe(-3);
    expect(verdictOf('example.com', fingerprint)).toBe(-3);
  });
});

describe('fingerprintOf', () => {
  it('refuses what is no certificate', () => {
    expect(() => fingerprintOf('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----')).toThrow();
  });
});
