/**
 * The signature of a pack: `signature.json`, a signed document that names the pack and the SHA-256 of its manifest, which
 * holds the hash of every file. It lies beside the manifest in the folder, and behind it in a bundle.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  type DocumentSignature,
  SignatureError,
  type Signed,
  signDocument,
  verifyDocument,
} from '../signing/document.ts';
import type { SigningKey } from '../signing/keys.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { readSmallFile } from './small-file.ts';

export const manifestName = 'manifest.json';
export const signatureName = 'signature.json';
export const longestSignature = 64 * 1024;

interface PackStatement {
  kind: 'lokal-pack';
  id: string;
  version: string;
  manifest_sha256: string;
}

export function signPack(manifestBytes: Uint8Array, key: SigningKey, signedMs?: number): Buffer {
  const { id, version } = parseManifest(Buffer.from(manifestBytes).toString('utf8'));
  const statement: PackStatement = {
    kind: 'lokal-pack',
    id,
    version,
    manifest_sha256: sha256(manifestBytes),
  };
  return Buffer.from(`${JSON.stringify(signDocument(statement, key, signedMs), null, 2)}\n`);
}

/** @throws SignatureError when it is not whole, or another pack's, or not of this manifest */
export function verifyPackSignature(
  signatureBytes: Uint8Array,
  manifestBytes: Uint8Array,
): DocumentSignature {
  const statement = parse(signatureBytes);
  const signature = verifyDocument(statement);
  const manifest = parseManifest(Buffer.from(manifestBytes).toString('utf8'));
  const { kind, id, version, manifest_sha256: expected } = statement;
  if (kind !== 'lokal-pack') throw new SignatureError('the signature is not a pack’s');
  if (id !== manifest.id || version !== manifest.version)
    throw new SignatureError(`the signature is of another pack, ${JSON.stringify(`${id}@${version}`)}`);
  if (expected !== sha256(manifestBytes))
    throw new SignatureError('the manifest was changed after it was signed');
  return signature;
}

export interface PackHead {
  manifest: Manifest;
  /** null: unsigned. */
  signature: DocumentSignature | null;
}

/** @throws SignatureError, or Error of a manifest that is none */
export function toPackHead(manifestBytes: Uint8Array, signatureBytes: Uint8Array | null): PackHead {
  const manifest = parseManifest(Buffer.from(manifestBytes).toString('utf8'));
  return { manifest, signature: signatureBytes && verifyPackSignature(signatureBytes, manifestBytes) };
}

/** Of a pack's folder. @throws as toPackHead */
export function readPackHead(folder: string): PackHead {
  let signature: Buffer | null = null;
  try {
    signature = readSmallFile(join(folder, signatureName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return toPackHead(readSmallFile(join(folder, manifestName)), signature);
}

function parse(bytes: Uint8Array): Signed<PackStatement> {
  if (bytes.length > longestSignature) throw new SignatureError('the signature is not whole');
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Signed<PackStatement>;
  } catch {
    throw new SignatureError('the signature is not whole');
  }
}

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
