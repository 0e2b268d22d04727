/**
 * Adds the papers of a folder to strangers.jsonl.gz as they are read now, or puts them in the place of a set that is there.
 *
 * usage: node add-papers.ts FOLDER SET [strangers.jsonl.gz]
 *
 * FOLDER is one that the bench documents-papers takes: only papers that may be read, as their errors will be.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from '../../../server/engine/documents/document.ts';
import { openDocument } from '../../../server/engine/documents/opening/open-document.ts';
import { readPage } from '../../../server/engine/documents/pipeline.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { readTruth } from '../../../test/bench/documents-papers.ts';

const [folder, number, file = new URL('strangers.jsonl.gz', import.meta.url).pathname] =
  process.argv.slice(2);
const set = Number(number);
if (!folder || !(set > 0)) throw new Error('usage: node add-papers.ts FOLDER SET [strangers.jsonl.gz]');

const rounded = (value: number): number => Math.round(value * 10) / 10;

const stored = ({ number: page, width, height, words }: Page) => ({
  number: page,
  width: rounded(width),
  height: rounded(height),
  words: words.map(({ text, box, baseline, size, bold, turned, source }) => [
    text,
    ...[...box, baseline, size].map(rounded),
    Number(bold),
    Number(turned),
    source,
  ]),
});

const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
const kept = lines.filter((line) => (JSON.parse(line) as { set: number }).set !== set);
for (const { file: name, kind, fields } of readTruth(folder)) {
  const source = await openDocument(readFileSync(`${folder}/${name}`));
  const pages: Page[] = [];
  for (let page = 1; page <= source.pageCount; page++)
    pages.push(...(await readPage(page, { source, models: localTextModels })).document.pages);
  await source.close();
  const asked = kind === 'invoice' ? { buyer_name: '', buyer_address: '' } : {};
  const truth = Object.fromEntries(
    Object.entries({ ...asked, ...fields }).map(([key, value]) => [
      key === 'address' ? 'seller_address' : key,
      value ?? '',
    ]),
  );
  kept.push(JSON.stringify({ set, file: name, kind, truth, pages: pages.map(stored) }));
}
writeFileSync(file, gzipSync(kept.join('\n'), { level: 9 }));
