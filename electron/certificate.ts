/** The server's own certificate, known to the window whatever authority the system trusts. */
import { hash, X509Certificate } from 'node:crypto';
import type { CertificateRequest, SessionApi } from './electron-api.ts';

/** Verdicts of `setCertificateVerifyProc`. */
const accept = 0;
const asChromiumSays = -3;

/** As Chromium writes it. @param pem the first certificate is the server's, the rest its chain */
export function fingerprintOf(pem: string | Buffer): string {
  const { raw } = new X509Certificate(pem);
  return `sha256/${hash('sha256', raw, 'base64')}`;
}

/** Accepts exactly this certificate from our own server; any other host or certificate is left to Chromium. */
export function pinCertificate(session: SessionApi, origin: string, fingerprint: string): void {
  const own = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  session.setCertificateVerifyProc((request: CertificateRequest, decide) => {
    const isOwn = request.hostname === own && request.certificate.fingerprint === fingerprint;
    decide(isOwn ? accept : asChromiumSays);
  });
}
