/** Papers to learn from: generated ones, and the annotated lines of the development receipts. */

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type DocumentText, toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import { makeInvoice } from '../../../test/support/documents/generated/invoices.ts';
import {
  familyCount,
  isHeldBack,
  makeReceipt,
  type Paper,
  type PaperTruth,
} from '../../../test/support/documents/generated/receipts.ts';
import { type Noise, toPage } from '../../../test/support/documents/generated/sheet.ts';
import { type Receipt, receiptPage } from '../../../test/support/documents/sroie.ts';

export interface Example {
  reading: DocumentText;
  /** Buyers are not told of where they are missing, and not there where they are empty. */
  truth: Pick<PaperTruth, 'seller_name' | 'seller_address' | 'total' | 'buyer_name' | 'buyer_address'>;
  set: 'receipts' | 'invoices' | 'sroie';
  /** Kept together in one fold: the family, or the shop. */
  group: string;
}

const clean: Noise = { slip: 0, join: 0, jitter: 0.02 };
const scanned: Noise = { slip: 0.002, join: 0.015, jitter: 0.06 };

function toExample({ kind, family, sheet, truth }: Paper, seed: number): Example {
  const page = toPage(sheet, (family + seed) % 2 === 0 ? clean : scanned, 1_000 * family + seed);
  return {
    reading: toDocumentText([page]),
    truth,
    set: kind === 'receipt' ? 'receipts' : 'invoices',
    group: `${kind} ${family}`,
  };
}

/** As many receipts and as many invoices of each family, others in each run. */
export function generatedExamples(papers: number, run: number): { trained: Example[]; held: Example[] } {
  const all = Array.from({ length: familyCount }, (_, family) => family).flatMap((family) =>
    Array.from({ length: papers }, (_, at) => papers * run + at).flatMap((seed) =>
      [makeReceipt(family, seed), makeInvoice(family, seed)].map((paper) => ({
        family,
        example: toExample(paper, seed),
      })),
    ),
  );
  return {
    trained: all.filter(({ family }) => !isHeldBack(family)).map(({ example }) => example),
    held: all.filter(({ family }) => isHeldBack(family)).map(({ example }) => example),
  };
}

/** Empty where the development data is not there. */
export function receiptExamples(): Example[] {
  const source = new URL('../../../../shared/data/doc-sroie-dev/receipts.jsonl.gz', import.meta.url);
  if (!existsSync(source)) return [];
  const lines = gunzipSync(readFileSync(source)).toString('utf8').trim().split('\n');
  return lines.map((line) => {
    const receipt = JSON.parse(line) as Receipt;
    const total = Number(receipt.total.replace(/[^\d.]/g, ''));
    return {
      reading: toDocumentText([receiptPage(receipt)]),
      truth: { seller_name: receipt.company, seller_address: receipt.address, total },
      set: 'sroie',
      group: receipt.company,
    };
  });
}
