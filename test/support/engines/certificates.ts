/** Certificates for servers of a test, written here so that no tool has to be installed: P-256, valid for a day around now. */
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface TestCertificate {
  /** PEM, as Node's TLS takes them. */
  cert: string;
  key: string;
  /** SHA-256 of the certificate, `AA:BB:…`. */
  fingerprint: string;
}

export interface TestAuthority {
  /** PEM, for a record's `ca`. */
  ca: string;
  /** A server's certificate for names and addresses. */
  issue(...names: string[]): TestCertificate;
}

const ecdsaWithSha256 = element(0x30, element(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

export function createAuthority(name: string): TestAuthority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = { name, key: pair.privateKey };
  const isAuthority = extension('551d13', element(0x30, element(0x01, Buffer.from([0xff]))));
  const own = write({ subject: name, publicKey: pair.publicKey, extensions: isAuthority, signer });
  return {
    ca: toPem(own),
    issue(...names) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const extensions = extension('551d11', element(0x30, ...names.map(alternativeName)));
      const der = write({ subject: names[0]!, publicKey, extensions, signer });
      const fingerprint = hash('sha256', der, 'hex').toUpperCase().match(/../g)!.join(':');
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { cert: toPem(der), key, fingerprint };
    },
  };
}

interface Contents {
  subject: string;
  publicKey: KeyObject;
  extensions: Buffer;
  signer: { name: string; key: KeyObject };
}

/** RFC 5280, version 3, as DER. */
function write({ subject, publicKey, extensions, signer }: Contents): Buffer {
  const day = 86_400_000;
  const signed = element(
    0x30,
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1, ...Buffer.from(subject)])),
    ecdsaWithSha256,
    commonName(signer.name),
    element(0x30, utcTime(Date.now() - day), utcTime(Date.now() + day)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, element(0x30, extensions)),
  );
  const signature = sign('sha256', signed, signer.key);
  return element(0x30, signed, ecdsaWithSha256, element(0x03, Buffer.from([0]), signature));
}

/** DER: tag, length, contents. */
function element(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const extension = (id: string, value: Buffer): Buffer =>
  element(0x30, element(0x06, Buffer.from(id, 'hex')), element(0x04, value));

const commonName = (name: string): Buffer => {
  const attribute = [element(0x06, Buffer.from('550403', 'hex')), element(0x0c, Buffer.from(name))];
  return element(0x30, element(0x31, element(0x30, ...attribute)));
};

const alternativeName = (name: string): Buffer =>
  isIP(name) === 4
    ? element(0x87, Buffer.from(name.split('.').map(Number)))
    : element(0x82, Buffer.from(name));

const utcTime = (ms: number): Buffer =>
  element(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

const toPem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----\n`;
