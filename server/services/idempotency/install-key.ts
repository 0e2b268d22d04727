/** The key of this installation, under which stored answers are sealed. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A system's own key store; Electron gives one. */
export interface SecretBox {
  seal(plain: Uint8Array): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Reads the key, or makes one where there is none or it cannot be opened any more; what was sealed under a lost key
 * then counts as expired. Kept in the box where there is one, else in a file that only this user can read.
 */
export async function loadInstallKey(folder: string, box?: SecretBox): Promise<Buffer> {
  const file = join(folder, box ? 'install-key.sealed' : 'install-key');
  if (existsSync(file)) {
    const key = await open(readFileSync(file), box);
    if (key?.length === keyLength) return key;
  }
  const key = randomBytes(keyLength);
  writeFileSync(file, box ? await box.seal(key) : key, { mode: 0o600, flush: true });
  return key;
}

async function open(content: Buffer, box: SecretBox | undefined): Promise<Buffer | undefined> {
  if (!box) return content;
  try {
    return Buffer.from(await box.open(content));
  } catch {
    return undefined;
  }
}

/** AES-256-GCM; `context` is authenticated, so a sealed value cannot be moved to another place. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plain value, or undefined when it was sealed under another key or context, or altered. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < nonceLength + tagLength) return undefined;
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength));
  try {
    const body = sealed.subarray(nonceLength, sealed.length - tagLength);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return undefined;
  }
}
