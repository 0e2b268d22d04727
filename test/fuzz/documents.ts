/**
 * `npm run fuzz:documents [-- COUNT SEED]`: damaged copies of the development documents and pictures, and of documents
 * made on the spot, in one process. Each must parse or be refused with a code of the contract; the last line says so.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FuzzSeed, fuzzDocuments } from '../support/documents/fuzz.ts';
import { madeDocuments } from '../support/documents/made-documents.ts';
import { madeOfficeFiles } from '../support/documents/made-office.ts';

const [count = 2000, seed = 1] = process.argv.slice(2).map(Number);
const largestSeedBytes = 1_500_000;
const data = new URL('../../../shared/data/', import.meta.url);
/** `LOKAL_FUZZ_ONLY=office`: the office, mail, web and text files alone. */
const office = process.env.LOKAL_FUZZ_ONLY === 'office';
const folders = [
  'doc-pdfjs',
  'doc-pdfplumber',
  'img-sharp-fixtures',
  'doc-sroie-dev',
  'doc-office-dev/files',
];

function below(folder: string): FuzzSeed[] {
  const root = new URL(`${folder}/`, data);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(pdf|png|jpe?g|tiff?|docx|xlsx|pptx|od[tsp]|html?|eml|msg|csv|md)$/i.test(file))
    .map((file) => ({ name: `${folder}/${file}`, bytes: readFileSync(new URL(file, root)) }))
    .filter(({ bytes }) => bytes.length > 0 && bytes.length <= largestSeedBytes);
}

const seeds = office
  ? [...madeOfficeFiles(), ...below('doc-office-dev/files')]
  : [...(await madeDocuments()), ...folders.flatMap(below)];
const report = await fuzzDocuments(seeds, {
  seed,
  count,
  onProgress: (done) => {
    if (done % 50 === 0) process.stderr.write(`${done} of ${count}\n`);
  },
});
process.stdout.write(`${JSON.stringify({ fuzz: 'documents', seed, files: seeds.length, ...report })}\n`);
process.exit(report.failures.length > 0 ? 1 : 0);
