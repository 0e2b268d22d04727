/**
 * Born-digital pages per second of the whole parse (text, tables, form fields, template) against pdf.js's own text
 * extraction, as it ships, of the same files in the same process, file by file in turn (a file takes a tenth of a second, so what
 * else the machine does falls on both alike; the first round does not count); of each file the pages that bear text. Scanned pages: twenty grainy A4 pages at
 * 200 dots an inch, in a process of its own, which the first page has warmed up; `peak_mb` is the resident memory of that
 * process, `digital_peak_mb` that of a process that runs the engine over the born-digital files; `receipt` and `scanned`: the
 * whole parse of pictures beside plain text recognition (documents/plain-ocr.ts).
 */

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { DecompressionStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { parseDocument } from '../../server/engine/documents/parse-document.ts';
import { decompressAtOnce } from '../../server/engine/documents/pdf/sync-decompression.ts';
import { grainyPage, toTiff } from '../support/documents/scans.ts';
import { measureBesidePlain } from './documents/plain-ocr.ts';
import { median, progress, rounded, timeMs } from './measure.ts';

const data = new URL('../../../shared/data/', import.meta.url);
const samples = new URL('../../renderer/public/samples/', import.meta.url);
const folderNames = ['doc-icdar2013-eu', 'doc-invoice2data-dev', 'doc-tabula-pdfs', 'doc-pdfplumber'];
/** Pages with less text are pictures, as covers and scans are: they count among the scanned. In characters, without blanks. */
const minTextLength = 60;

/** Not born digital, encrypted or empty. */
const leftOut = new Set(['encrypted.pdf', 'password-example.pdf', 'empty.pdf']);

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const resource = (name: string): string => join(packageFolder, name) + sep;

function folders(): URL[] {
  const shared = folderNames.map((name) => new URL(`${name}/`, data)).filter((folder) => existsSync(folder));
  return shared.length > 0 ? shared : [samples];
}

/** Extracts the text of these pages, of the first twenty where none are named; the lengths of their texts. */
async function peerText(bytes: Uint8Array, numbers?: number[]): Promise<Map<number, number>> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: resource('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: resource('standard_fonts'),
  });
  const document = await task.promise;
  const first = Array.from({ length: Math.min(20, document.numPages) }, (_, index) => index + 1);
  const lengths = new Map<number, number>();
  for (const number of numbers ?? first) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    lengths.set(
      number,
      items.reduce((sum, item) => sum + ('str' in item ? item.str.replace(/\s/g, '').length : 0), 0),
    );
    page.cleanup();
  }
  await task.destroy();
  return lengths;
}

/** As the parsing thread reads: with its own way of inflating, which is taken from the peer again. */
async function ourParse(bytes: Uint8Array, numbers: number[]): Promise<void> {
  const params = { bytes, template: null, pages: numbers.join(','), outputFormat: 'json' as const };
  decompressAtOnce();
  try {
    for await (const _item of parseDocument(params));
  } finally {
    Object.assign(globalThis, { DecompressionStream });
  }
}

async function digitalPeakMb(): Promise<number> {
  const script = fileURLToPath(new URL('../support/documents/corpus.ts', import.meta.url));
  const paths = folders().map((folder) => fileURLToPath(folder));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '600', ...paths], {
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!).peakMb;
}

/** The first pictures of development receipts; none where the data is not there. */
function receiptPictures(count: number): Uint8Array[] {
  const folder = new URL('doc-sroie-dev/img/', data);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .slice(0, count)
    .map((name) => readFileSync(new URL(name, folder)));
}

async function measureScan(count: number): Promise<{ pagesPerSecond: number; peakMb: number }> {
  const different = await Promise.all([0, 1, 2, 3].map(grainyPage));
  const pages = Array.from({ length: count }, (_, index) => different[index % different.length]!);
  const folder = await mkdtemp(join(tmpdir(), 'lokal-scan-'));
  try {
    const file = join(folder, 'scan.tiff');
    await writeFile(file, await toTiff(pages, 'jpeg'));
    const script = fileURLToPath(new URL('../support/documents/scan-speed.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
    const scan = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
    if (scan.empty > 0) throw new Error(`${scan.empty} scanned pages came back empty`);
    progress(`${scan.pages} scanned pages: ${scan.seconds.toFixed(1)} s, ${scan.peakMb} MB`);
    return { pagesPerSecond: rounded(scan.pages / scan.seconds), peakMb: scan.peakMb };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const files = folders()
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, url: new URL(name, folder) })))
    .filter(({ name }) => name.endsWith('.pdf') && !leftOut.has(name))
    .map(({ url }) => readFileSync(url));
  const chosen: { bytes: Uint8Array; pages: number[] }[] = [];
  for (const bytes of quick ? files.slice(0, 3) : files) {
    const lengths = await peerText(bytes);
    const pages = [...lengths].filter(([, length]) => length >= minTextLength).map(([number]) => number);
    if (pages.length > 0) chosen.push({ bytes, pages });
  }
  const total = chosen.reduce((sum, { pages }) => sum + pages.length, 0);
  progress(`${chosen.length} files, ${total} pages`);
  const rounds: { ours: number; peer: number }[] = [];
  for (let round = 0; round <= (quick ? 1 : 5); round++) {
    const sum = { ours: 0, peer: 0 };
    for (const { bytes, pages } of chosen) {
      sum.ours += await timeMs(() => ourParse(bytes, pages));
      sum.peer += await timeMs(() => peerText(bytes, pages));
    }
    progress(`round ${round}: ours ${sum.ours.toFixed(0)} ms, peer ${sum.peer.toFixed(0)} ms`);
    if (round > 0) rounds.push(sum);
  }
  const oursMs = median(rounds.map(({ ours }) => ours));
  const peerMs = median(rounds.map(({ peer }) => peer));
  const ratio = rounded(peerMs / oursMs);
  const pictureRounds = quick ? 1 : 5;
  const receipts = receiptPictures(quick ? 1 : 5);
  const receipt = receipts.length > 0 ? await measureBesidePlain(receipts, pictureRounds) : null;
  const scanned = await measureBesidePlain([await grainyPage(0)], pictureRounds);
  const scan = await measureScan(quick ? 2 : 20);
  return {
    ratio,
    digital_pages_per_s: rounded((1000 * total) / oursMs),
    scanned_pages_per_s: scan.pagesPerSecond,
    receipt,
    scanned,
    peak_mb: scan.peakMb,
    digital_peak_mb: quick ? null : await digitalPeakMb(),
  };
}
