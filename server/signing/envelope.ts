/** DSSE: an envelope around a statement of another format, such as in-toto's, signed with Ed25519 (github.com/secure-systems-lab/dsse). */
import { sign, verify } from 'node:crypto';
import { SignatureError } from './document.ts';
import { parsePublicKey, type SigningKey } from './keys.ts';

export interface Envelope {
  payloadType: string;
  /** base64 */
  payload: string;
  /** `keyid` is our text of the public key: the format leaves it to the signer. */
  signatures: { keyid: string; sig: string }[];
}

/** The signed bytes: type and payload, each with its length before it. */
const preAuthentication = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);

export function signEnvelope(payloadType: string, payload: Buffer, key: SigningKey): Envelope {
  const sig = sign(null, preAuthentication(payloadType, payload), key.privateKey).toString('base64');
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.publicKey, sig }],
  };
}

export const isEnvelope = (document: unknown): document is Envelope =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, 'payloadType');

/** @throws SignatureError when a signature is missing, or not its key's over exactly this */
export function openEnvelope({ payloadType, payload, signatures }: Envelope): {
  publicKey: string;
  content: Buffer;
} {
  const [first] = Array.isArray(signatures) ? signatures : [];
  if (!first || signatures.length !== 1) throw new SignatureError('the envelope does not hold one signature');
  const content = Buffer.from(String(payload), 'base64');
  let valid = false;
  try {
    const key = parsePublicKey(first.keyid);
    valid = verify(null, preAuthentication(payloadType, content), key, Buffer.from(first.sig, 'base64'));
  } catch (error) {
    throw new SignatureError(`the signature cannot be read: ${(error as Error).message}`);
  }
  if (!valid) throw new SignatureError('the signature is wrong: it was changed after it was signed');
  return { publicKey: first.keyid, content };
}
