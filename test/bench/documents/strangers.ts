/**
 * Fields of generated receipts and invoices of families that nothing was trained on or tuned to, beside families that were
 * learnt from: exact match, from lines as recognition would read them, every second paper with slips. Beside them papers
 * written by hand, which nothing is tuned to either.
 */

import type { Page } from '../../../server/engine/documents/document.ts';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../server/engine/documents/templates/invoice/invoice.ts';
import { makeInvoice } from '../../support/documents/generated/invoices.ts';
import {
  familyCount,
  type HeldBackSet,
  heldBackSet,
  makeReceipt,
  type Paper,
} from '../../support/documents/generated/receipts.ts';
import { toPage } from '../../support/documents/generated/sheet.ts';
import { sameText } from '../../support/documents/sroie.ts';
import { strangePapers } from '../../support/documents/strange-papers.ts';
import { writtenPapers } from '../../support/documents/written-papers.ts';
import { rounded } from '../measure.ts';
import type { Judge } from './judge.ts';

const noises = [
  { slip: 0, join: 0, jitter: 0.02 },
  { slip: 0.002, join: 0.015, jitter: 0.06 },
];
/** Seeds of papers from here on are of no training set. */
const firstSeed = 500;

export type Shares = Record<string, number>;

export interface StrangersOptions {
  make: (family: number, seed: number) => Paper;
  /** The held-back families of one round, or those learnt from. */
  set: HeldBackSet | null;
  /** Papers of each family. */
  papers: number;
  judge: Judge;
  onWrong?: (paper: Paper, field: string, found: unknown) => void;
}

type Truth = Readonly<Record<string, string | number | undefined>>;

/** Counts right values field by field. */
class FieldCounts {
  readonly #counts = new Map<string, { right: number; all: number }>();
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  add(page: Page, truth: Truth, onWrong?: (field: string, found: unknown) => void): void {
    const fields = readInvoice(toDocumentText([page]));
    for (const [name, value] of Object.entries(truth)) {
      if (value === '' || value === undefined) continue;
      const count = this.#counts.get(name) ?? { right: 0, all: 0 };
      this.#counts.set(name, count);
      count.all++;
      const right = this.#judge.add(fields[name], (found) =>
        typeof value === 'number' ? Math.abs(Number(found) - value) < 0.005 : sameText(String(found), value),
      );
      if (right) count.right++;
      else onWrong?.(name, fields[name]?.value);
    }
  }

  shares(): Shares {
    return Object.fromEntries(
      [...this.#counts].map(([name, { right, all }]) => [name, rounded(right / all)]),
    );
  }
}

type Kind = 'invoices' | 'receipts';

/** Papers written by hand, clean. */
export function measureWritten(kind: Kind, judge: Judge): Shares {
  const counts = new FieldCounts(judge);
  for (const [at, { sheet, truth }] of writtenPapers(kind).entries())
    counts.add(toPage(sheet, noises[0]!, at), truth);
  return counts.shares();
}

/** Layouts of the third set, so many papers of each, every second with slips. */
export function measureStrange(kind: Kind, papers: number, judge: Judge): Shares {
  const counts = new FieldCounts(judge);
  for (const [at, { sheet, truth }] of strangePapers(kind, papers).entries())
    counts.add(toPage(sheet, noises[at % noises.length]!, at), truth);
  return counts.shares();
}

/** Share of right values, field by field. */
export function measureFamilies({ make, set, papers, judge, onWrong }: StrangersOptions): Shares {
  const counts = new FieldCounts(judge);
  for (let family = 0; family < familyCount; family++) {
    if (heldBackSet(family) !== set) continue;
    for (let seed = firstSeed; seed < firstSeed + papers; seed++) {
      const paper = make(family, seed);
      const page = toPage(paper.sheet, noises[seed % noises.length]!, 1_000 * family + seed);
      counts.add(page, { ...paper.truth }, (field, found) => onWrong?.(paper, field, found));
    }
  }
  return counts.shares();
}

const kinds = { receipts: makeReceipt, invoices: makeInvoice };

/** Families held back, of two rounds, and families learnt from, kind by kind. `judge` counts those held back. */
export function measureStrangers(judge: Judge, learnt: Judge, quick: boolean) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, make]) => [
      kind,
      {
        held_back: measureFamilies({ make, set: 'first', papers: quick ? 1 : 4, judge }),
        held_back_later: measureFamilies({ make, set: 'second', papers: quick ? 1 : 4, judge }),
        learnt: measureFamilies({ make, set: null, papers: 1, judge: learnt }),
        written: measureWritten(kind as Kind, judge),
        strange: measureStrange(kind as Kind, 4, judge),
      },
    ]),
  );
}
