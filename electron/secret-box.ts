import type { SafeStorageApi } from './electron-api.ts';

/** Keeps a small secret under the system's own key store (Keychain, DPAPI, libsecret). */
export interface SecretBox {
  seal(plain: Uint8Array): Promise<Uint8Array>;
  /** Throws when the sealed bytes are not ours or the system's key has changed. */
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

/** Undefined where the system has no key store; the server then keeps the key in a file of mode 0600. */
export async function createSecretBox(storage: SafeStorageApi): Promise<SecretBox | undefined> {
  if (!(await storage.isAsyncEncryptionAvailable())) return undefined;
  return {
    seal: (plain) => storage.encryptStringAsync(Buffer.from(plain).toString('base64')),
    open: async (sealed) => {
      const { result } = await storage.decryptStringAsync(Buffer.from(sealed));
      return Buffer.from(result, 'base64');
    },
  };
}
