/** The key of this installation, under which chats, work, files and stored answers are sealed. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SealedRecordStore } from '../../db/sealed-records.ts';
import { StartError } from '../../start-error.ts';

/** A system's own key store; Electron gives one. */
export interface SecretBox {
  seal(plain: Uint8Array): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

const plainFile = 'install-key';
const boxedFile = 'install-key.sealed';
/** Sealed under each key file's key and kept in the database: tells another key from its own. */
const checkText = Buffer.from('lokal');
const checkPlace = (file: string) => `install_key\n${file}`;

export interface InstallKeySource {
  store: SealedRecordStore;
  /** Keeps the key where there is one, else a file that only this user can read. */
  box?: SecretBox | undefined;
}

interface KeyReading {
  file: string;
  /** Absent where there is none to be used. */
  key?: Buffer;
  /** The database was sealed under a key that is not here; null: nothing stands in the way. */
  problem: string | null;
}

/**
 * Reads the key, or makes one where nothing has been sealed yet. A lost or foreign key stops the start, unless it is to be
 * replaced: its file is then kept under another name, and what was sealed under it stays unreadable.
 * @throws StartError
 */
export async function loadInstallKey(
  folder: string,
  { replace = false, ...source }: InstallKeySource & { replace?: boolean },
): Promise<Buffer> {
  const { store, box } = source;
  const { file, key: found, problem } = await readInstallKey(folder, source);
  const path = join(folder, file);
  if (problem !== null && !replace)
    throw new StartError(
      `${path} ${problem}: bring it back from a backup, or start once with --new-install-key to do without what was sealed under it.`,
    );
  if (problem !== null && existsSync(path)) renameSync(path, `${path}.replaced-${Date.now()}`);
  const key = (problem === null && found) || randomBytes(keyLength);
  if (key !== found)
    writeFileSync(path, box ? await box.seal(key) : key, { mode: 0o600, flush: true, flag: 'wx' });
  if (key !== found || !store.find('install_key', '', file)) keepCheck(store, file, key);
  return key;
}

/** Compares the key's file with the database and writes nothing. */
export async function readInstallKey(folder: string, { store, box }: InstallKeySource): Promise<KeyReading> {
  const [file, other] = box ? [boxedFile, plainFile] : [plainFile, boxedFile];
  const path = join(folder, file);
  const check = store.find('install_key', '', file)?.content;
  if (!existsSync(path)) {
    // The desktop window and the command line have a key each on the same folder.
    const isLost = check !== undefined || (store.holdsAny() && !existsSync(join(folder, other)));
    return { file, problem: isLost ? 'is missing, and the database holds what was sealed under it' : null };
  }
  const key = await open(readFileSync(path), box);
  if (key?.length !== keyLength) return { file, problem: 'is damaged' };
  if (check && !unseal(key, check, checkPlace(file))?.equals(checkText))
    return { file, problem: 'is not the key that the database was sealed under' };
  return { file, key, problem: null };
}

/** For the doctor: of the plain file, since only the desktop window reaches the system's key store. */
export async function describeInstallKey(
  folder: string,
  store: SealedRecordStore,
): Promise<{ state: string; problem: string | null }> {
  const { file, key, problem } = await readInstallKey(folder, { store });
  if (problem !== null) return { state: problem, problem: `${join(folder, file)} ${problem}` };
  if (key) {
    const checked = store.find('install_key', '', file) !== undefined;
    return { state: checked ? 'fits the database' : 'there; checked from the next start on', problem };
  }
  const state = existsSync(join(folder, boxedFile)) ? 'in the system’s key store' : 'made at the first start';
  return { state, problem };
}

function keepCheck(store: SealedRecordStore, file: string, key: Buffer): void {
  const content = seal(key, checkText, checkPlace(file));
  store.put('install_key', { owner: '', id: file, updatedMs: Date.now(), head: Buffer.alloc(0), content });
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
