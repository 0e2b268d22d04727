/**
 * A JSON object that carries its signature in `signature`. What is signed is the canonical text of the whole, the
 * signature's own fields but its value included: a changed field, signer, key or time is found alike.
 */
import { sign, verify } from 'node:crypto';
import { canonicalJson } from '../services/canonical-json.ts';
import { parsePublicKey, type SigningKey } from './keys.ts';

export interface DocumentSignature {
  algorithm: 'ed25519';
  public_key: string;
  /** The signer's own name. */
  signer: string;
  /** ISO 8601, UTC; the signer's clock. */
  signed: string;
  /** base64url */
  value: string;
}

export type Signed<T extends object> = T & { signature: DocumentSignature };

/** In one clear line, without a full stop, as it goes to a person. */
export class SignatureError extends Error {}

/** Keeps these signatures apart from any other use of the key. */
const context = 'lokal-signed-document-1\n';

/** A copy of `document` with its signature. It must be what JSON can hold. */
export function signDocument<T extends object>(
  document: T,
  key: SigningKey,
  signedMs = Date.now(),
): Signed<T> {
  const fields = {
    algorithm: 'ed25519' as const,
    public_key: key.publicKey,
    signer: key.name,
    signed: new Date(signedMs).toISOString(),
  };
  // As it will be read again: without what JSON leaves out.
  const plain = JSON.parse(JSON.stringify(document)) as T;
  const value = sign(null, toBytes(plain, fields), key.privateKey).toString('base64url');
  return { ...plain, signature: { ...fields, value } };
}

/** @throws SignatureError when it is unsigned, or the signature is not its key's over exactly this */
export function verifyDocument(document: unknown): DocumentSignature {
  const { signature, rest } = split(document);
  const { value, ...fields } = signature;
  let valid = false;
  try {
    checkNames(document);
    valid = verify(
      null,
      toBytes(rest, fields),
      parsePublicKey(signature.public_key),
      Buffer.from(value, 'base64url'),
    );
  } catch (error) {
    throw new SignatureError(`the signature cannot be read: ${(error as Error).message}`);
  }
  if (!valid) throw new SignatureError('the signature is wrong: it was changed after it was signed');
  return {
    algorithm: 'ed25519',
    public_key: signature.public_key,
    signer: signature.signer,
    signed: signature.signed,
    value,
  };
}

export const isSigned = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, 'signature');

const toBytes = (document: object, fields: object): Buffer =>
  Buffer.from(context + canonicalJson({ ...document, signature: fields }));

function split(document: unknown): { signature: DocumentSignature; rest: object } {
  if (!isSigned(document)) throw new SignatureError('there is no signature');
  const { signature, ...rest } = document as Signed<object>;
  const texts = ['public_key', 'signer', 'signed', 'value'] as const;
  const whole =
    typeof signature === 'object' &&
    signature !== null &&
    texts.every((name) => typeof signature[name] === 'string');
  if (!whole) throw new SignatureError('the signature is not whole');
  if (signature.algorithm !== 'ed25519') throw new SignatureError('the signature is not Ed25519');
  return { signature, rest };
}

/** The canonical text would leave such a field out, so that it could be added unseen. */
function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw new Error('a field is called __proto__');
  for (const each of Object.values(value)) checkNames(each);
}
