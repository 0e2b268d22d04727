/** Whose packs count as known: the person's list of signers, and what it says of a pack's signature. */

import type { Settings } from '../../api/console/console.ts';
import type { PackSignature, TrustedKey, TrustRequest } from '../../api/console/packs.ts';
import type { TrustedKeyRow, TrustStore } from '../../db/access/trust.ts';
import { ApiError } from '../../errors.ts';
import { packRef } from '../../packs/manifest.ts';
import { type PackHead, readPackHead } from '../../packs/signature.ts';
import type { DocumentSignature } from '../../signing/document.ts';
import { fingerprint, parsePublicKey } from '../../signing/keys.ts';
import type { AuditLog } from '../audit/audit-log.ts';

export interface TrustService {
  list(): TrustedKey[];
  /** @throws ApiError invalid_value, conflict */
  add(request: TrustRequest): TrustedKey;
  /** @throws ApiError not_found */
  remove(publicKey: string): void;
  /** Who signed, in the person's own words where the signer is known. */
  judge(signature: DocumentSignature | null): PackSignature;
  /** Of a pack that is here; `wrong` where it was changed since. */
  judgeFolder(folder: string): PackSignature;
  /**
   * Before an import. null: a model that becomes a pack here.
   * @throws ApiError invalid_value in one line for a pack without a known signature where the settings ask for one,
   * another signer than before, a signature that was taken away, and one older than the latest that was imported
   */
  admit(head: PackHead | null, options: { allowOlder: boolean }): void;
  /** After an import. */
  note(head: PackHead): void;
}

export interface TrustDeps {
  store: TrustStore;
  settings: () => Pick<Settings, 'signed_packs_only'>;
  audit: AuditLog;
  now: () => number;
}

export function createTrust({ store, settings, audit, now }: TrustDeps): TrustService {
  function judge(signature: DocumentSignature | null): PackSignature {
    if (!signature) return unsigned;
    const known = store.key(signature.public_key);
    return {
      state: known ? 'trusted' : 'unknown',
      signer: known?.name ?? signature.signer,
      signed: signature.signed,
      public_key: signature.public_key,
      fingerprint: fingerprint(signature.public_key),
    };
  }

  /** A later pack of an id must come from a signer the person trusts, once one did. */
  function checkSigner({ manifest, signature }: PackHead): void {
    if (signature && store.key(signature.public_key)) return;
    const before = store.signatures(manifest.id).find(({ publicKey }) => store.key(publicKey));
    if (!before) return;
    const signer = quote(store.key(before.publicKey)!.name);
    const now = signature
      ? `this one by another key, which calls itself ${quote(signature.signer)}`
      : 'this one is not signed';
    throw refuse(`${manifest.id} was signed by ${signer} before, and ${now}`);
  }

  function checkAge({ manifest, signature }: PackHead): void {
    const latest =
      signature && store.signatures(manifest.id).find(({ publicKey }) => publicKey === signature.public_key);
    if (!latest || signature.signed >= latest.signed) return;
    throw refuse(
      `${packRef(manifest)} was signed on ${day(signature.signed)}, before ${manifest.id}@${latest.version} of ${day(latest.signed)} that was imported already; lokal packs import --allow-older takes it`,
    );
  }

  return {
    list: () => store.keys().map(toTrustedKey),

    add({ public_key: publicKey, name }) {
      try {
        parsePublicKey(publicKey);
      } catch (error) {
        throw new ApiError('invalid_value', `${(error as Error).message}.`, { param: 'public_key' });
      }
      const known = store.key(publicKey);
      if (known)
        throw new ApiError('conflict', `This key is trusted already, as ${quote(known.name)}.`, {
          param: 'public_key',
        });
      const row: TrustedKeyRow = { publicKey, name, addedMs: now() };
      audit.act({ action: 'trust.add', target: publicKey, changes: { name } }, () => store.insert(row));
      return toTrustedKey(row);
    },

    remove(publicKey) {
      audit.act(
        { action: 'trust.remove', target: publicKey, changes: { name: store.key(publicKey)?.name } },
        () => {
          if (!store.remove(publicKey))
            throw new ApiError('not_found', 'There is no such key.', { param: 'id' });
        },
      );
    },

    judge,

    judgeFolder(folder) {
      try {
        return judge(readPackHead(folder).signature);
      } catch {
        return { ...unsigned, state: 'wrong' };
      }
    },

    admit(head, { allowOlder }) {
      const { state } = judge(head?.signature ?? null);
      if (settings().signed_packs_only && state !== 'trusted')
        throw refuse(
          `the settings take signed packs of trusted signers alone, and this one is ${inWords[state]}`,
        );
      if (!head) return;
      checkSigner(head);
      if (!allowOlder) checkAge(head);
    },

    note({ manifest, signature }) {
      if (!signature) return;
      const { public_key: publicKey, signed } = signature;
      store.noteSignature({ pack: manifest.id, publicKey, version: manifest.version, signed });
    },
  };
}

const unsigned: PackSignature = {
  state: 'unsigned',
  signer: null,
  signed: null,
  public_key: null,
  fingerprint: null,
};

const inWords = {
  trusted: 'trusted',
  unknown: 'signed by a key that is not on the list',
  unsigned: 'not signed',
  wrong: 'wrong',
};

const refuse = (why: string) => new ApiError('invalid_value', `Not imported: ${why}.`, { param: 'path' });
const quote = (name: string) => `“${name.slice(0, 100)}”`;
const day = (time: string) => time.slice(0, 10);

const toTrustedKey = ({ publicKey, name, addedMs }: TrustedKeyRow): TrustedKey => ({
  public_key: publicKey,
  name,
  fingerprint: fingerprint(publicKey),
  added: Math.floor(addedMs / 1000),
});
