/**
 * The secret of a key: `sk-svc-live-` or `sk-svc-test-`, 43 base62 characters (256 bits) from a CSPRNG, and six more
 * that are the base62 CRC-32 of all before them, so that a typo is found without a look-up.
 */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyClass } from '../../api/common.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const form = new RegExp(`^sk-svc-(live|test)-[0-9A-Za-z]{${randomLength + checksumLength}}$`);
/** The part of a secret that may be shown again: the class and four characters. */
const visibleLength = 'sk-svc-live-'.length + 4;

export function createSecret(keyClass: KeyClass): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = `sk-svc-${keyClass}-${random}`;
  return body + checksumOf(body);
}

/** True if it could be a key at all: form and checksum. */
export function isWellFormed(secret: string): boolean {
  if (!form.test(secret)) return false;
  const end = secret.length - checksumLength;
  return checksumOf(secret.slice(0, end)) === secret.slice(end);
}

/** Stored and looked up in place of the secret. 256 random bits need no slow hash. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

export const visiblePrefix = (secret: string): string => secret.slice(0, visibleLength);

function checksumOf(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet[value % alphabet.length] + digits;
    value = Math.floor(value / alphabet.length);
  }
  return digits;
}
