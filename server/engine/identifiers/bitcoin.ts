/** Bitcoin addresses by their checksums: Base58Check (BIP 13) and Bech32/Bech32m (BIP 173, BIP 350). */
import { createHash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

export function isBitcoinAddress(text: string): boolean {
  return /^bc1/iu.test(text) ? isBech32(text) : isBase58(text);
}

function isBase58(text: string): boolean {
  if (text.length < 26 || text.length > 35) return false;
  let number = 0n;
  for (const c of text) {
    const digit = BASE58.indexOf(c);
    if (digit < 0) return false;
    number = number * 58n + BigInt(digit);
  }
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex');
  if (bytes.length !== 25 || (bytes[0] !== 0 && bytes[0] !== 5)) return false;
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

function isBech32(address: string): boolean {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return false;
  const values = [...address.toLowerCase().slice(3)].map((c) => BECH32.indexOf(c));
  if (values.length < 11 || values.includes(-1)) return false;
  // The human-readable part "bc" expanded: high bits, a zero, low bits.
  const checksum = polymod([3, 3, 0, 2, 3, ...values]);
  return checksum === 1 || checksum === 0x2bc830a3;
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    GENERATORS.forEach((generator, i) => {
      if ((top >>> i) & 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}
