/** Unpacks the tar that build/release/tar.ts writes and no other: files, folders, long names. A link, a device or a path out is refused. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const block = 512;
const longestPax = 64 * 1024;

/**
 * @param folder there and empty; what lies in the archive's one folder comes directly into it
 * @returns the name of the archive's one folder
 * @throws Error naming what is wrong; the caller removes the folder
 */
export async function unpackTar(bytes: AsyncIterable<Buffer>, folder: string): Promise<string> {
  const reader = new ByteReader(bytes);
  let top: string | undefined;
  let longPath: string | undefined;
  for (let header = await nextHeader(reader); header; header = await nextHeader(reader)) {
    if (header.type === 'x') {
      if (header.sizeBytes > longestPax) throw new Error('the archive holds a name without an end');
      longPath = paxPath(await reader.take(header.sizeBytes));
      await reader.skip(paddingOf(header.sizeBytes));
      continue;
    }
    const path = longPath ?? header.path;
    longPath = undefined;
    const [first = '', ...rest] = safeParts(path);
    top ??= first;
    if (first !== top) throw new Error(`the archive holds ${quoted(path)} beside ${quoted(top)}`);
    const target = join(folder, ...rest);
    if (header.type === '5') await mkdir(target, { recursive: true, mode: 0o755 });
    else await writeEntry(reader, header, target);
  }
  if (top === undefined) throw new Error('the archive is empty');
  return top;
}

interface TarHeader {
  path: string;
  /** `0` file, `5` folder, `x` the long name of the next. */
  type: string;
  mode: number;
  sizeBytes: number;
}

async function writeEntry(reader: ByteReader, { mode, sizeBytes }: TarHeader, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  // A name that is there already is refused, and with it whatever it may lead to.
  const output = await open(target, 'wx', (mode & 0o111) === 0 ? 0o644 : 0o755);
  try {
    for (let left = sizeBytes; left > 0; ) {
      const piece = await reader.some(left);
      await output.writeFile(piece);
      left -= piece.length;
    }
    // Whatever the mask of this process: other users may run the program.
    await output.chmod((mode & 0o111) === 0 ? 0o644 : 0o755);
  } finally {
    await output.close();
  }
  await reader.skip(paddingOf(sizeBytes));
}

/** null at the end. */
async function nextHeader(reader: ByteReader): Promise<TarHeader | null> {
  const bytes = await reader.take(block);
  if (bytes.every((byte) => byte === 0)) return null;
  const text = (from: number, length: number) =>
    bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const octal = (from: number, length: number) => {
    const digits = text(from, length).trim();
    if (!/^[0-7]+$/.test(digits)) throw new Error('the archive is not one of Lokal');
    return Number.parseInt(digits, 8);
  };
  const blank = Buffer.concat([bytes.subarray(0, 148), Buffer.alloc(8, ' '), bytes.subarray(156)]);
  const sum = blank.reduce((total, byte) => total + byte, 0);
  if (text(257, 5) !== 'ustar' || octal(148, 8) !== sum) throw new Error('the archive is not one of Lokal');
  const prefix = text(345, 155);
  const path = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const type = text(156, 1) || '0';
  if (!['0', '5', 'x'].includes(type))
    throw new Error(`the archive holds ${quoted(path)}, which is neither a file nor a folder`);
  return { path, type, mode: octal(100, 8), sizeBytes: type === '5' ? 0 : octal(124, 12) };
}

/** Records of the form `LENGTH path=VALUE`; any other is none of ours. */
function paxPath(body: Buffer): string {
  const [, length = '', path = ''] = /^(\d+) path=([^\n]*)\n$/.exec(body.toString('utf8')) ?? [];
  if (Number(length) !== body.length) throw new Error('the archive is not one of Lokal');
  return path;
}

function safeParts(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/');
  const unsafe = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part));
  if (unsafe) throw new Error(`the archive holds ${quoted(path)}, which leads out of its folder`);
  return parts;
}

const paddingOf = (sizeBytes: number): number => (block - (sizeBytes % block)) % block;
const quoted = (path: string): string => JSON.stringify(path.slice(0, 100));

/** Bytes in the portions that the reader of a format asks for. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At least one byte, at most `limit`. @throws Error at the end */
  async some(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) throw new Error('the archive is cut off');
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = length; left > 0; left -= pieces.at(-1)!.length) pieces.push(await this.some(left));
    return Buffer.concat(pieces);
  }

  async skip(length: number): Promise<void> {
    await this.take(length);
  }
}
