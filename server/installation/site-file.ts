/**
 * `.lokalsite`: what a site is set up with, in one signed file. A zip without compression: `site.json` first, a signed
 * document with size and SHA-256 of every other entry, then these in its order. Only that is read.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { bundledBytes, nextEntry, readRange, writeRange, writeStoredZip } from '../packs/bundle.ts';
import { hashFile } from '../packs/verify.ts';
import { SignatureError, type Signed, signDocument, verifyDocument } from '../signing/document.ts';
import type { SigningKey } from '../signing/keys.ts';

export const siteSuffix = '.lokalsite';
const headName = 'site.json';
const longestHead = 4 * 1024 * 1024;

export interface SiteHead {
  kind: 'lokal-site';
  /** The version that wrote it. */
  lokal: string;
  files: { path: string; size_bytes: number; sha256: string }[];
}

export interface SitePart {
  /** Its name inside, with slashes. */
  path: string;
  file: string;
}

/** The file appears whole or not at all. */
export async function writeSiteFile(
  target: string,
  given: { lokal: string; parts: SitePart[]; key: SigningKey },
): Promise<Signed<SiteHead>> {
  const files = await Promise.all(
    given.parts.map(async ({ path, file }) => ({
      path,
      size_bytes: (await stat(file)).size,
      sha256: await hashFile(file),
    })),
  );
  const head: SiteHead = { kind: 'lokal-site', lokal: given.lokal, files };
  const signed = signDocument(head, given.key);
  const bytes = Buffer.from(`${JSON.stringify(signed, null, 2)}\n`);
  await writeStoredZip(target, entriesOf(bytes, given.parts));
  return signed;
}

async function* entriesOf(head: Buffer, parts: SitePart[]) {
  yield bundledBytes(headName, head);
  for (const { path, file } of parts) {
    const content = () => createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    let [crc, sizeBytes] = [0, 0];
    for await (const chunk of content()) {
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
    }
    yield { name: path, sizeBytes, crc, content };
  }
}

/** Its signature is its own; whose it is, is the caller's to judge. @throws SignatureError, or Error naming what is wrong */
export async function readSiteHead(source: string): Promise<Signed<SiteHead>> {
  const file = await open(source, 'r');
  try {
    const first = await nextEntry(file, 0, (await file.stat()).size);
    if (first?.name !== headName || first.sizeBytes > longestHead)
      throw new Error('it is not a site of Lokal: it does not begin with site.json');
    const text = (await readRange(file, first.dataAt, first.sizeBytes)).toString('utf8');
    const head = JSON.parse(text) as Signed<SiteHead>;
    verifyDocument(head);
    if (head.kind !== 'lokal-site') throw new SignatureError('the signature is not a site’s');
    return head;
  } finally {
    await file.close();
  }
}

const pathPattern = /^(content\.json|packs\/[\w.@+-]+\.lokalpack|program\/[\w.-]+)$/;

/** Unpacks what the head names into `folder`. @throws Error naming what is missing, changed or added */
export async function unpackSite(source: string, head: SiteHead, folder: string): Promise<void> {
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    const first = await nextEntry(file, 0, size);
    let at = first!.dataAt + first!.sizeBytes;
    for (const { path, size_bytes: sizeBytes, sha256 } of head.files) {
      if (!pathPattern.test(path))
        throw new Error(`${JSON.stringify(path.slice(0, 100))} is no path of a site`);
      const entry = await nextEntry(file, at, size);
      if (entry?.name !== path || entry.sizeBytes !== sizeBytes)
        throw new Error(`${path} is missing or changed`);
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeRange(file, entry, target);
      if ((await hashFile(target)) !== sha256) throw new Error(`${path} was changed after it was signed`);
      at = entry.dataAt + entry.sizeBytes;
    }
    const more = await nextEntry(file, at, size);
    if (more) throw new Error(`it holds ${JSON.stringify(more.name.slice(0, 100))}, which was not signed`);
  } finally {
    await file.close();
  }
}
