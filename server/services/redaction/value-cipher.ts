/**
 * Values encrypted one by one with a key that the caller keeps: AES-256-GCM, whose nonce is made from the value itself
 * (a synthetic nonce, after RFC 5297), so that one value has one sign and no nonce serves two values.
 */
import { createCipheriv, createDecipheriv, createHmac, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const nonceBytes = 12;
const tagBytes = 16;
const salt = 'lokal anonymize 1';

export interface ValueCipher {
  encrypt(value: string): string;
  /** Null for what was not encrypted with this key. */
  decrypt(sign: string): string | null;
  /** Eight signs that stand for a value, the same each time. */
  digest(value: string): string;
}

export async function createValueCipher(secret: string): Promise<ValueCipher> {
  const bytes = (await promisify(scrypt)(secret, salt, 64)) as Buffer;
  const [cipherKey, nonceKey] = [bytes.subarray(0, 32), bytes.subarray(32)];
  const mac = (purpose: string, value: string): Buffer =>
    createHmac('sha256', nonceKey).update(`${purpose}\0${value}`).digest();
  return {
    encrypt(value) {
      const nonce = mac('nonce', value).subarray(0, nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce);
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(sign) {
      const all = Buffer.from(sign, 'base64url');
      if (all.length < nonceBytes + tagBytes) return null;
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, all.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(all.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const body = all.subarray(nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
    digest: (value) => mac('digest', value).toString('hex').slice(0, 8),
  };
}
