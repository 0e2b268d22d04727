import type { SecretBox } from '../server/services/idempotency/install-key.ts';
import type { SafeStorageApi } from './electron-api.ts';

/** The system's own key store (Keychain, DPAPI, libsecret); undefined where there is none: the key is then a file of its own. */
export async function createSecretBox(storage: SafeStorageApi): Promise<SecretBox | undefined> {
  if (!(await storage.isAsyncEncryptionAvailable())) return undefined;
  // A Linux without a keyring: Chromium would seal under a password that everyone knows.
  if (storage.getSelectedStorageBackend?.() === 'basic_text') return undefined;
  return {
    seal: (plain) => storage.encryptStringAsync(Buffer.from(plain).toString('base64')),
    open: async (sealed) => {
      const { result } = await storage.decryptStringAsync(Buffer.from(sealed));
      return Buffer.from(result, 'base64');
    },
  };
}
