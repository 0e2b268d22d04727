import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignatureError, signDocument, verifyDocument } from '../../server/signing/document.ts';
import { signFile, verifyFile } from '../../server/signing/file.ts';
import {
  createKeyFile,
  fingerprint,
  installSigningKey,
  parsePublicKey,
  readKeyFile,
} from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const newKey = (name?: string) => createKeyFile(join(temporaryFolder(), 'key.json'), name);
const reread = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('signing keys', () => {
  it('are written for this user alone, and read again', () => {
    const file = join(temporaryFolder(), 'key.json');
    const key = createKeyFile(file, 'Aisyah');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { publicKey, name } = readKeyFile(file);
    expect([publicKey, name]).toEqual([key.publicKey, 'Aisyah']);
    expect(publicKey).toMatch(/^ed25519:[\w-]{43}$/);
    expect(fingerprint(publicKey)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
    expect(() => createKeyFile(file)).toThrow('EEXIST');
  });

  it('may be a PEM of another tool, and nothing but Ed25519', () => {
    const pem = (type: 'ed25519' | 'x25519') => {
      const file = join(temporaryFolder(), 'key.pem');
      const { privateKey } = type === 'ed25519' ? generateKeyPairSync(type) : generateKeyPairSync(type);
      writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
      return file;
    };
    expect(parsePublicKey(readKeyFile(pem('ed25519')).publicKey).asymmetricKeyType).toBe('ed25519');
    expect(() => readKeyFile(pem('x25519'))).toThrow('holds no Ed25519 private key');
    expect(() => readKeyFile('/nowhere')).toThrow('cannot be read');
  });

  it('of an installation are made once', () => {
    const home = temporaryFolder();
    const first = installSigningKey(home);
    expect(installSigningKey(home).publicKey).toBe(first.publicKey);
    expect(installSigningKey(temporaryFolder()).publicKey).not.toBe(first.publicKey);
  });

  it.each(['', 'ed25519:', 'ed25519:AAAA', `x25519:${'A'.repeat(43)}`, `ed25519:${'A'.repeat(42)}B`])(
    'are refused as %j',
    (text) => expect(() => parsePublicKey(text)).toThrow('public key'),
  );
});

describe('a signed document', () => {
  const report = { kind: 'report', attempts: 0, files: [{ path: 'a', size: 1 }], none: null, text: 'é' };

  it('names its signer, and survives being written and read', () => {
    const key = newKey('Aisyah');
    const signed = reread(signDocument({ ...report, left_out: undefined }, key, 0));
    expect(verifyDocument(signed)).toMatchObject({
      signer: 'Aisyah',
      public_key: key.publicKey,
      signed: '1970-01-01T00:00:00.000Z',
    });
  });

  it('is the same whatever the order of its fields', () => {
    const { signature, ...rest } = signDocument(report, newKey());
    expect(verifyDocument({ signature, ...Object.fromEntries(Object.entries(rest).reverse()) })).toBeTruthy();
  });

  type Changed = { attempts: number; files: { size: number }[]; signature: Record<string, string> } & Record<
    string,
    unknown
  >;
  it.each<[string, (signed: Changed) => void]>([
    ['a field', (signed) => (signed.attempts = 1)],
    ['a nested field', (signed) => (signed.files[0]!.size = 2)],
    ['a field more', (signed) => (signed.more = true)],
    ['a field less', (signed) => delete signed.none],
    ['another signer', (signed) => (signed.signature.signer = 'Someone')],
    ['another time', (signed) => (signed.signature.signed = '2030-01-01T00:00:00.000Z')],
    ['another key', (signed) => (signed.signature.public_key = newKey().publicKey)],
    ['a cut value', (signed) => (signed.signature.value = signed.signature.value!.slice(2))],
    ['an empty value', (signed) => (signed.signature.value = '')],
    ['a field of the signature more', (signed) => (signed.signature.note = 'x')],
    ['no signature', (signed) => delete (signed as Record<string, unknown>).signature],
    ['half a signature', (signed) => delete signed.signature.value],
    ['another algorithm', (signed) => (signed.signature.algorithm = 'none')],
    [
      'a field called __proto__',
      (signed) => Object.defineProperty(signed, '__proto__', { value: 1, enumerable: true }),
    ],
  ])('is refused with %s', (_name, change) => {
    const signed = reread(signDocument(report, newKey())) as unknown as Changed;
    change(signed);
    expect(() => verifyDocument(signed)).toThrow(SignatureError);
  });

  it.each([null, 1, 'x', [], {}, { signature: null }])('is not %j', (value) => {
    expect(() => verifyDocument(value)).toThrow(SignatureError);
  });
});

describe('a signed file', () => {
  function write(content = 'release') {
    const file = join(temporaryFolder(), 'lokal.tgz');
    writeFileSync(file, content);
    return file;
  }

  it('is verified by the signature beside it', async () => {
    const [file, key] = [write(), newKey('Lokal')];
    await signFile(file, key);
    expect(await verifyFile(file)).toMatchObject({ signer: 'Lokal', public_key: key.publicKey });
  });

  it('is refused when it or its signature is changed, cut, swapped or gone', async () => {
    const [file, other] = [write(), write('another')];
    await signFile(file, newKey());
    await signFile(other, newKey());
    const signature = readFileSync(`${file}.sig`, 'utf8');
    writeFileSync(file, 'releasE');
    await expect(verifyFile(file)).rejects.toThrow('changed or swapped');
    writeFileSync(file, 'releas');
    await expect(verifyFile(file)).rejects.toThrow('changed or swapped');
    writeFileSync(file, 'release');
    writeFileSync(`${file}.sig`, readFileSync(`${other}.sig`));
    await expect(verifyFile(file)).rejects.toThrow('changed or swapped');
    writeFileSync(`${file}.sig`, signature.slice(0, -20));
    await expect(verifyFile(file)).rejects.toThrow('not whole');
    writeFileSync(`${file}.sig`, signature.replace('lokal-file', 'lokal-pack'));
    await expect(verifyFile(file)).rejects.toThrow(SignatureError);
    await expect(verifyFile(write())).rejects.toThrow('lokal.tgz.sig is missing');
  });
});
