/** Who signed a document digitally, and whether it has changed since. */

import type { Integrity } from '../types.ts';
import { verifyCms } from './cms.ts';
import { findSignatureDictionaries } from './signature-dictionaries.ts';

export interface DigitalSignature {
  /** Last part of the name of its form field, where that is known. */
  field: string | null;
  signer: string | null;
  /** ISO 8601, by the signer's own clock. */
  signedAt: string | null;
  integrity: Integrity;
}

export async function readDigitalSignatures(bytes: Uint8Array): Promise<DigitalSignature[]> {
  const signatures: DigitalSignature[] = [];
  for (const { field, signed, contents, subFilter, date, gapless, extended } of findSignatureDictionaries(
    bytes,
  )) {
    const verdict = await verifyCms(contents, signed, subFilter);
    const integrity = (): Integrity => {
      if (verdict === null || verdict.holds === null) return 'unknown';
      if (!verdict.holds || !gapless) return 'altered';
      return extended ? 'extended' : 'intact';
    };
    signatures.push({ field, signer: verdict?.signer ?? null, signedAt: date, integrity: integrity() });
  }
  return signatures;
}
