/**
 * Fields of a folder of papers, `LOKAL_BENCH_PAPERS`, from their files to the template, by kind and field: `[right, all]`. Its
 * `truth.jsonl` has a line for each: `{"file", "kind": "invoice" | "receipt", "fields": {"seller_name", …, "number", "date",
 * "total", "currency"}, "accept"?: {"seller_name": [other spellings]}}`; what is null or missing there is not asked.
 * `LOKAL_BENCH_SHOW=1` tells on stderr what was read instead; without it nothing but the figures is seen.
 */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openStarter } from '../support/documents/open-starter.ts';
import { sameText } from '../support/documents/sroie.ts';
import { rounded } from './measure.ts';

/** Fields of a truth and ours. */
const names = {
  seller_name: 'seller_name',
  seller_address: 'seller_address',
  address: 'seller_address',
  merchant_name: 'seller_name',
  merchant_address: 'seller_address',
  buyer_name: 'buyer_name',
  buyer_address: 'buyer_address',
  number: 'invoice_number',
  date: 'invoice_date',
  total: 'total',
  currency: 'currency',
};
type Name = keyof typeof names;
type Value = string | number | null;

export interface PaperTruth {
  file: string;
  kind: string;
  fields: Partial<Record<Name, Value>>;
  accept?: Partial<Record<Name, Value[]>>;
}

export const readTruth = (folder: string): PaperTruth[] =>
  readFileSync(`${folder}/truth.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as PaperTruth);

/** Names, addresses and numbers by letters and digits; dates and currencies exactly; amounts to the cent. */
export function sameValue(name: string, wanted: Value, found: unknown): boolean {
  if (found === undefined || found === null) return false;
  if (name === 'total') return Math.abs(Number(found) - Number(wanted)) < 0.005;
  if (name === 'date' || name === 'currency') return found === wanted;
  return sameText(String(found).normalize('NFC'), String(wanted).normalize('NFC'));
}

const show = process.env.LOKAL_BENCH_SHOW === '1';

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const folder = process.env.LOKAL_BENCH_PAPERS;
  if (folder === undefined) return { skipped: 'LOKAL_BENCH_PAPERS names no folder' };
  const papers = readTruth(folder).slice(0, quick ? 2 : undefined);
  const counts: Record<string, Record<string, [right: number, all: number]>> = {};
  const all: [number, number] = [0, 0];
  const engine = await openStarter();
  for (const { file, kind, fields, accept = {} } of papers) {
    const bytes = readFileSync(new URL(file, pathToFileURL(`${folder}/`)));
    let read: Record<string, { value: unknown }> = {};
    try {
      const params = { bytes, template: 'invoice', pages: null, outputFormat: 'json' } as const;
      for await (const item of engine.methods.parse(params, { signal: new AbortController().signal }))
        if (item.kind === 'result') read = item.result.fields;
    } catch (error) {
      if (show) process.stderr.write(`${file}: ${String(error)}\n`);
    }
    counts[kind] ??= {};
    for (const [name, wanted] of Object.entries(fields) as [Name, Value][]) {
      if (wanted === null || wanted === '') continue;
      const found = read[names[name]]?.value;
      const right = [wanted, ...(accept[name] ?? [])].some((value) => sameValue(name, value, found));
      counts[kind][name] ??= [0, 0];
      for (const tally of [counts[kind][name], all]) {
        tally[1]++;
        if (right) tally[0]++;
      }
      if (show && !right)
        process.stderr.write(
          `${file} ${name}: ${JSON.stringify(found ?? null)} for ${JSON.stringify(wanted)}\n`,
        );
    }
  }
  await engine.close();
  return { papers: papers.length, ...counts, all, share: rounded(all[0] / Math.max(1, all[1])) };
}
