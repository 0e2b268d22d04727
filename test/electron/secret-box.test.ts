import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SafeStorageApi } from '../../electron/electron-api.ts';
import { createSecretBox } from '../../electron/secret-box.ts';

/** Seals by flipping every bit. */
const storage = (available: boolean): SafeStorageApi => ({
  isAsyncEncryptionAvailable: async () => available,
  encryptStringAsync: async (plain) => Buffer.from(plain).map((byte) => byte ^ 0xff),
  decryptStringAsync: async (sealed) => ({
    result: Buffer.from(sealed.map((byte) => byte ^ 0xff)).toString(),
  }),
});

describe('createSecretBox', () => {
  it('opens what it sealed, byte for byte', async () => {
    const box = await createSecretBox(storage(true));
    const secret = randomBytes(32);
    const sealed = await box?.seal(secret);
    expect(sealed).not.toEqual(secret);
    expect(await box?.open(sealed ?? new Uint8Array())).toEqual(secret);
  });

  it('is not there where the system has no key store', async () => {
    expect(await createSecretBox(storage(false))).toBeUndefined();
    const basic = { ...storage(true), getSelectedStorageBackend: () => 'basic_text' };
    expect(await createSecretBox(basic)).toBeUndefined();
  });
});
