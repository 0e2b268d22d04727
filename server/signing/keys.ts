/** Ed25519 keys: as text for people (`ed25519:…`), as files of this user alone, and the one of this installation. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

export interface SigningKey {
  privateKey: KeyObject;
  /** `ed25519:` and the 32 bytes in base64url. */
  publicKey: string;
  /** The signer's own name; only a trust list makes it true. */
  name: string;
}

const publicPrefix = 'ed25519:';
/** DER of an Ed25519 SubjectPublicKeyInfo up to the key (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const keyBytes = 32;

interface KeyFile {
  kind: 'lokal-signing-key';
  name: string;
  public_key: string;
  /** PKCS #8, PEM. */
  private_key: string;
}

/** @throws Error when it is no Ed25519 key of ours */
export function parsePublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text.slice(publicPrefix.length), 'base64url');
  if (!text.startsWith(publicPrefix) || bytes.length !== keyBytes || toText(bytes) !== text)
    throw new Error('the public key is not “ed25519:” and 43 characters');
  return createPublicKey({ key: Buffer.concat([derPrefix, bytes]), format: 'der', type: 'spki' });
}

const toText = (bytes: Buffer) => publicPrefix + bytes.toString('base64url');

const publicKeyOf = (privateKey: KeyObject): string =>
  toText(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(derPrefix.length));

/** 128 bits of the key's SHA-256 in groups, for two people to compare. */
export const fingerprint = (publicKey: string): string =>
  hash('sha256', Buffer.from(publicKey.slice(publicPrefix.length), 'base64url'), 'hex')
    .slice(0, 32)
    .replace(/(.{4})(?=.)/g, '$1 ');

/** Makes a key and writes it to `file`, which must be new. @throws the system's error, EEXIST where it is there */
export function createKeyFile(file: string, name?: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = publicKeyOf(privateKey);
  const key = { privateKey, publicKey, name: name ?? `Lokal ${fingerprint(publicKey).slice(0, 9)}` };
  const content: KeyFile = {
    kind: 'lokal-signing-key',
    name: key.name,
    public_key: publicKey,
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return key;
}

/** A key file of ours, or a PEM of `openssl genpkey -algorithm ed25519`. @throws StartError in one line */
export function readKeyFile(file: string): SigningKey {
  const refuse = (why: string) => new StartError(`The key file ${file} ${why}.`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw refuse('cannot be read');
  }
  let name: string | undefined;
  let pem = text;
  try {
    ({ name, private_key: pem } = JSON.parse(text) as KeyFile);
  } catch {
    // A PEM, or nothing of use.
  }
  try {
    const privateKey = createPrivateKey(pem);
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('another kind');
    const publicKey = publicKeyOf(privateKey);
    return { privateKey, publicKey, name: name ?? `key ${fingerprint(publicKey).slice(0, 9)}` };
  } catch {
    throw refuse('holds no Ed25519 private key');
  }
}

/** The key of this installation, made on first use. @param home the data folder */
export function installSigningKey(home: string): SigningKey {
  const file = join(home, 'signing-key.json');
  try {
    return createKeyFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readKeyFile(file);
  }
}
