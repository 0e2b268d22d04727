import { createPublicKey, verify } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEnvelope, signEnvelope } from '../../server/signing/envelope.ts';
import { createKeyFile } from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const key = createKeyFile(join(temporaryFolder(), 'key.json'));
const envelope = () => signEnvelope('application/vnd.in-toto+json', Buffer.from('{"é":1}'), key);

describe('an envelope', () => {
  it('is signed over type and payload as DSSE says', () => {
    const { payload, signatures } = envelope();
    expect(Buffer.from(payload, 'base64').toString()).toBe('{"é":1}');
    // The example of the specification, with our type: lengths in bytes, one space between.
    const signed = Buffer.from('DSSEv1 28 application/vnd.in-toto+json 8 {"é":1}');
    const sig = Buffer.from(signatures[0]!.sig, 'base64');
    expect(verify(null, signed, createPublicKey(key.privateKey), sig)).toBe(true);
    expect(openEnvelope(envelope())).toEqual({ publicKey: key.publicKey, content: Buffer.from('{"é":1}') });
  });

  it('is refused when type, payload, key or signature were changed', () => {
    const whole = envelope();
    const [first] = whole.signatures;
    const other = createKeyFile(join(temporaryFolder(), 'other.json'));
    for (const wrong of [
      { ...whole, payloadType: 'text/plain' },
      { ...whole, payload: Buffer.from('{"é":2}').toString('base64') },
      { ...whole, signatures: [{ ...first!, keyid: other.publicKey }] },
      { ...whole, signatures: [{ ...first!, keyid: 'none' }] },
      { ...whole, signatures: [] },
      { ...whole, signatures: [first!, first!] },
    ])
      expect(() => openEnvelope(wrong)).toThrow(/signature/);
  });
});
