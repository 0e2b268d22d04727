/** Damage that knows what it damages: lengths, offsets, types, counts, names and keys of the files that are imported. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

export type Random = () => number;

/** A source as files by path; a function makes what is no file. */
export type Files = Map<string, Buffer | { linkTo: string }>;

const pickFrom = <T>(next: Random, items: readonly T[]): T => items[Math.floor(next() * items.length)]!;

const badNumbers = [0, 1, 7, 255, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 63 - 1024];
export const badNames = [
  '../../escaped',
  '/tmp/escaped',
  '..\\escaped',
  'C:\\escaped',
  'a/../../escaped',
  '',
  '.',
  'nul\u0000name',
  `${'long'.repeat(100)}`,
  '__proto__',
];
const badValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x'.repeat(10_000),
  [],
  {},
  [[[[[]]]]],
  ...badNames,
];

/** Bytes alone: flips, numbers, cuts, repeats. */
export function damageBytes(bytes: Buffer, next: Random): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length < 16) return copy;
  // Most of what matters stands at the beginning or at the end.
  const place = next();
  const range = Math.min(copy.length - 8, place < 0.7 ? 512 : copy.length - 8);
  const at =
    place > 0.9
      ? copy.length - 8 - Math.floor(next() * Math.min(256, copy.length - 8))
      : Math.floor(next() * range);
  switch (Math.floor(next() * 8)) {
    case 0:
      copy.writeUInt32LE(pickFrom(next, badNumbers) % 2 ** 32, at);
      return copy;
    case 1:
      copy.writeBigUInt64LE(BigInt(pickFrom(next, badNumbers)), at);
      return copy;
    case 2:
      return copy.subarray(0, Math.floor(next() * copy.length));
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at, at + 64), copy.subarray(at)]);
    case 4:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.alloc(Math.floor(next() * 4096)),
        copy.subarray(at),
      ]);
    case 5:
      copy.fill(Math.floor(next() * 256), at, Math.min(copy.length, at + Math.floor(next() * 64)));
      return copy;
    case 6:
      copy.writeUInt16LE(Math.floor(next() * 65536), at);
      return copy;
    default:
      for (let flip = 0; flip < 1 + next() * 12; flip += 1)
        copy[Math.floor(next() * Math.max(range, 1))]! ^= 1 << Math.floor(next() * 8);
      return copy;
  }
}

/** A value of the text at some depth is replaced, dropped, given twice or nested; still JSON, mostly. */
export function damageJson(text: string, next: Random): string {
  const root = JSON.parse(text) as unknown;
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      look((value as Record<string, unknown>)[key]);
    }
  };
  look(root);
  if (places.length === 0) return JSON.stringify(pickFrom(next, badValues));
  const { holder, key } = pickFrom(next, places);
  switch (Math.floor(next() * 6)) {
    case 0:
      delete holder[key];
      break;
    case 1: {
      // Two of one key: the later one wins, here and hopefully everywhere.
      const written = JSON.stringify(root);
      const pair = `${JSON.stringify(key)}:`;
      return written.replace(pair, `${pair}${JSON.stringify(pickFrom(next, badValues))},${pair}`);
    }
    case 2:
      holder[key] = pickFrom(next, badNumbers) * (next() < 0.2 ? -1 : 1);
      break;
    case 3:
      holder[pickFrom(next, badNames)] = holder[key];
      break;
    case 4:
      return `${'['.repeat(20_000)}${']'.repeat(next() < 0.5 ? 20_000 : 5)}`;
    default:
      holder[key] = pickFrom(next, badValues);
  }
  return JSON.stringify(root);
}

/** The header of a safetensors file, with its length put right. */
export function damageSafetensors(bytes: Buffer, next: Random): Buffer {
  if (next() < 0.4) return damageBytes(bytes, next);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = Buffer.from(damageJson(bytes.toString('utf8', 8, 8 + length), next));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([size, header, bytes.subarray(8 + length)]);
}

/** One of the files, or what they are called. */
export function damageFiles(files: Files, next: Random): Files {
  const copy: Files = new Map(files);
  const names = [...files.keys()];
  const name = pickFrom(next, names);
  const file = files.get(name)!;
  if (!Buffer.isBuffer(file)) return copy;
  const kind = next();
  if (kind < 0.05) copy.delete(name);
  else if (kind < 0.1)
    copy.set(name, { linkTo: pickFrom(next, ['/etc/passwd', '..', name, '/dev/zero', 'nowhere']) });
  else if (kind < 0.14) copy.set(name, Buffer.alloc(0));
  else if (name.endsWith('.safetensors')) copy.set(name, damageSafetensors(file, next));
  else if (name.endsWith('.json') && next() < 0.8)
    copy.set(name, Buffer.from(damageJson(file.toString(), next)));
  else copy.set(name, damageBytes(file, next));
  return copy;
}

export const link = (folder: string, name: string, to: string): void => symlinkSync(to, join(folder, name));
