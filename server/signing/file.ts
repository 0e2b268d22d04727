/** Any file, its signature beside it: `FILE.sig`, a signed document that holds the file's name, size and SHA-256. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashFile } from '../packs/verify.ts';
import {
  type DocumentSignature,
  SignatureError,
  type Signed,
  signDocument,
  verifyDocument,
} from './document.ts';
import type { SigningKey } from './keys.ts';

export const signatureSuffix = '.sig';
const longestSignature = 64 * 1024;

export interface FileStatement {
  kind: 'lokal-file';
  name: string;
  size_bytes: number;
  sha256: string;
}

/** Writes `FILE.sig`, replacing one that is there. */
export async function signFile(file: string, key: SigningKey): Promise<Signed<FileStatement>> {
  const statement: FileStatement = { kind: 'lokal-file', name: basename(file), ...(await measure(file)) };
  const signed = signDocument(statement, key);
  await writeFile(file + signatureSuffix, `${JSON.stringify(signed, null, 2)}\n`);
  return signed;
}

/** @throws SignatureError when there is no signature beside it, or it is not this file's */
export const verifyFile = async (file: string): Promise<DocumentSignature> =>
  (await verifyFileStatement(file)).signature;

/** With what was signed, for one who reads the file again. @throws SignatureError as verifyFile */
export async function verifyFileStatement(
  file: string,
): Promise<{ signature: DocumentSignature; statement: FileStatement }> {
  const statement = await readStatement(file + signatureSuffix);
  const signature = verifyDocument(statement);
  const { kind, name, size_bytes: sizeBytes, sha256 } = statement;
  if (kind !== 'lokal-file') throw new SignatureError('the signature is not a file’s');
  const is = await measure(file);
  if (is.size_bytes !== sizeBytes || is.sha256 !== sha256) {
    const other = name === basename(file) ? '' : `; it was made for ${JSON.stringify(name)}`;
    throw new SignatureError(`the signature is not this file’s, which was changed or swapped${other}`);
  }
  return { signature, statement };
}

async function readStatement(path: string): Promise<FileStatement> {
  const info = await stat(path).catch(() => null);
  if (!info) throw new SignatureError(`there is no signature: ${basename(path)} is missing`);
  if (info.size > longestSignature) throw new SignatureError('the signature is not whole');
  try {
    return JSON.parse(await readFile(path, 'utf8')) as FileStatement;
  } catch {
    throw new SignatureError('the signature is not whole');
  }
}

const measure = async (file: string): Promise<Pick<FileStatement, 'size_bytes' | 'sha256'>> => ({
  size_bytes: (await stat(file)).size,
  sha256: await hashFile(file),
});
