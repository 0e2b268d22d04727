/**
 * Reads and verifies the CMS message (RFC 5652) of a digital signature.
 *
 * What is checked: that the signed bytes have the digest that was signed, and that the signature over it is by the key
 * of the certificate inside. Whether that certificate is to be trusted is not: an offline machine has no list of roots
 * that a reader of the answer would have agreed to.
 */

import { createHash } from 'node:crypto';
import { fromBER, OctetString } from 'asn1js';
import { type Certificate, ContentInfo, SignedData } from 'pkijs';

export interface CmsVerdict {
  /** Common name of the signer's certificate, else its organization; null where it has neither. */
  signer: string | null;
  /** Null where the message uses an algorithm that is not known here. */
  holds: boolean | null;
}

const signedDataType = '1.2.840.113549.1.7.2';
const nameParts = { commonName: '2.5.4.3', organization: '2.5.4.10' };

function nameOf(certificate: Certificate | undefined): string | null {
  for (const type of Object.values(nameParts)) {
    const part = certificate?.subject.typesAndValues.find((entry) => entry.type === type);
    const value: unknown = part?.value.valueBlock.value;
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
  }
  return null;
}

const exact = (bytes: Uint8Array): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

function toSignedData(der: Uint8Array): SignedData | null {
  const parsed = fromBER(exact(der));
  if (parsed.offset === -1) return null;
  const info = new ContentInfo({ schema: parsed.result });
  return info.contentType === signedDataType ? new SignedData({ schema: info.content }) : null;
}

function signerCertificate(message: SignedData): Certificate | undefined {
  const certificates = (message.certificates ?? []).filter(
    (certificate): certificate is Certificate => 'subject' in certificate,
  );
  const sid = message.signerInfos[0]?.sid as
    | { serialNumber?: { isEqual(other: unknown): boolean } }
    | undefined;
  const own = certificates.find((certificate) => sid?.serialNumber?.isEqual(certificate.serialNumber));
  return own ?? certificates[0];
}

/** `adbe.pkcs7.sha1` signs the SHA-1 of the bytes, which the message carries (ISO 32000-1, 12.8.3.3.1). */
function carriedDigestHolds(message: SignedData, signed: Uint8Array[]): boolean {
  const content = message.encapContentInfo.eContent;
  if (!(content instanceof OctetString)) return false;
  const hash = createHash('sha1');
  for (const piece of signed) hash.update(piece);
  return hash.digest().equals(Buffer.from(content.getValue()));
}

/** Null for bytes that are no CMS message. */
export async function verifyCms(
  contents: Uint8Array,
  signed: Uint8Array[],
  subFilter: string,
): Promise<CmsVerdict | null> {
  let message: SignedData | null;
  try {
    message = toSignedData(contents);
  } catch {
    message = null;
  }
  if (!message || message.signerInfos.length === 0) return null;
  const signer = nameOf(signerCertificate(message));
  const carried = subFilter === 'adbe.pkcs7.sha1';
  try {
    const data = exact(Buffer.concat(signed));
    const options = carried ? { signer: 0 } : { signer: 0, data };
    const verified = await message.verify({ ...options, checkChain: false });
    return { signer, holds: verified && (!carried || carriedDigestHolds(message, signed)) };
  } catch (error) {
    return { signer, holds: isMismatch(error) ? false : null };
  }
}

/** pkijs throws where the digest differs; its other errors are about what it cannot do. */
const isMismatch = (error: unknown): boolean =>
  error instanceof Error && /message ?digest|signature (?:was )?not verified/i.test(error.message);
