/** `lokal verify FILE`: who signed a pack, a report, an export or any file with its signature beside it. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSiteHead, siteSuffix, unpackSite } from '../../installation/site-file.ts';
import { bundleSuffix, readBundle, readBundleHead } from '../../packs/bundle.ts';
import { readPackHead } from '../../packs/signature.ts';
import { verifyPack } from '../../packs/verify.ts';
import { readExport } from '../../services/audit/audit-export.ts';
import type { TrustService } from '../../services/console/trust.ts';
import { type DocumentSignature, SignatureError, verifyDocument } from '../../signing/document.ts';
import { type Envelope, isEnvelope } from '../../signing/envelope.ts';
import { signatureSuffix, verifyFile } from '../../signing/file.ts';
import { fingerprint, installSigningKey } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { type Command, type CommandInput, required } from '../command.ts';
import { withStores } from '../server/data.ts';
import { openTrust } from './trust.ts';
import { type Provenance, verifyProvenance } from './verify-provenance.ts';

const help = `Usage: lokal verify FILE [--trusted]

FILE is a ${bundleSuffix}, a pack's folder, a ${siteSuffix}, a signed report (JSON), an export of the audit log, a release's
provenance (with the files beside it), or any file with FILE${signatureSuffix} beside it.
Ends with exit code 1 when it is unsigned or the signature is not its own.

  --trusted   also when the signer is not on the list of \`lokal trust\`
  --json      print one line of JSON
  --help      this text`;

export const verify: Command = {
  help,
  options: { trusted: { type: 'boolean' } },
  run: (input) =>
    withStores(async (stores, { home }) => {
      const file = resolve(required(input, 0, 'FILE'));
      const refuse = (error: unknown) => {
        throw new StartError(`${file} is not verified: ${reasonOf(error)}.`);
      };
      const envelope = await readEnvelope(file).catch(refuse);
      if (envelope) {
        const provenance = await verifyProvenance(file, envelope).catch(refuse);
        return printProvenance(file, provenance, {
          input,
          known: knownAs(openTrust(stores), toSignature(provenance), home),
        });
      }
      const signature = await readSignature(file).catch(refuse);
      const known = knownAs(openTrust(stores), signature, home);
      refuseUnknown(file, signature.public_key, { input, known });
      const who =
        known ?? `${JSON.stringify(signature.signer)}, as it calls itself; the key is not on your list`;
      input.print({ file, verified: true, trusted: known !== null, signature }, [
        `${file} is as it was signed on ${signature.signed} by ${who}.`,
        `Key ${signature.public_key} (${fingerprint(signature.public_key)}).`,
      ]);
    }),
};

interface Judged {
  input: CommandInput;
  /** null: neither on the list nor our own. */
  known: string | null;
}

function refuseUnknown(file: string, publicKey: string, { input, known }: Judged): void {
  if (input.values.trusted === true && known === null)
    throw new StartError(`${file} is signed, but by a key that is not trusted: ${fingerprint(publicKey)}.`);
}

function printProvenance(file: string, provenance: Provenance, judged: Judged): void {
  const { publicKey, commit, present, absent } = provenance;
  refuseUnknown(file, publicKey, judged);
  const { input, known } = judged;
  const trusted = known !== null;
  const beside = absent.length > 0 ? `; ${absent.length} more are not here` : '';
  input.print({ file, verified: true, trusted, ...provenance }, [
    `${file} is as it was signed by ${known ?? 'a key that is not on your list'}.`,
    `It is of commit ${commit ?? 'unknown'}. ${present.length} file(s) beside it are those it speaks of${beside}.`,
    `Key ${publicKey} (${fingerprint(publicKey)}).`,
  ]);
}

/** An envelope tells neither name nor time of its signer. */
const toSignature = ({ publicKey }: Provenance): DocumentSignature => ({
  algorithm: 'ed25519',
  public_key: publicKey,
  signer: '',
  signed: '',
  value: '',
});

const longestEnvelope = 4 * 1024 * 1024;

/** null for any other file. */
async function readEnvelope(file: string): Promise<Envelope | null> {
  const info = await stat(file).catch(() => null);
  if (!info?.isFile() || info.size > longestEnvelope || !file.endsWith('.json')) return null;
  try {
    const document: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isEnvelope(document) ? document : null;
  } catch {
    return null;
  }
}

/** Null for a key that is neither on the list nor this installation's own. */
export function knownAs(trust: TrustService, signature: DocumentSignature, home: string): string | null {
  const { state, signer } = trust.judge(signature);
  if (state === 'trusted') return signer;
  const own =
    existsSync(join(home, 'signing-key.json')) && installSigningKey(home).publicKey === signature.public_key;
  return own ? 'this installation' : null;
}

/** @throws SignatureError, or Error naming what is wrong */
async function readSignature(file: string): Promise<DocumentSignature> {
  const info = await stat(file).catch(() => null);
  if (!info) throw new Error('there is nothing at this path');
  if (info.isDirectory()) return readFolder(file);
  if (file.endsWith(bundleSuffix)) return readPackFile(file);
  if (file.endsWith(siteSuffix)) return readSite(file);
  if (existsSync(file + signatureSuffix)) return verifyFile(file);
  const text = await readFile(file, 'utf8');
  const lines = text.trimEnd().split('\n');
  if (lines.at(-1)?.includes('"lokal-audit-head"') && lines.every((line) => line.startsWith('{')))
    return readExport(text).signature;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new SignatureError(`there is no signature: neither in it nor in a ${signatureSuffix} beside it`);
  }
  return verifyDocument(document);
}

async function readFolder(folder: string): Promise<DocumentSignature> {
  const { manifest, signature } = readPackHead(folder);
  if (!signature) throw new SignatureError('the pack is not signed');
  await verifyPack(folder, manifest);
  return signature;
}

/** Unpacked into a folder of its own, since the files' hashes are those of the manifest. */
async function readPackFile(file: string): Promise<DocumentSignature> {
  const { signature } = await readBundleHead(file);
  if (!signature) throw new SignatureError('the pack is not signed');
  return inFolder(async (folder) => {
    const unpacked = join(folder, 'pack');
    await readBundle(file, unpacked);
    return readFolder(unpacked);
  });
}

/** Every file in it, too, since the signature names their hashes. */
async function readSite(file: string): Promise<DocumentSignature> {
  const head = await readSiteHead(file);
  return inFolder(async (folder) => {
    await unpackSite(file, head, folder);
    return head.signature;
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lokal-verify-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
