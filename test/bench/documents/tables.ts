/**
 * Tables of ICDAR 2013 (European half): adjacency relations, detection and structure together, mean of documents.
 * Rasterized: the same pages as pictures of 150 dots an inch, without any text layer, as they come from a scanner that
 * does its work well.
 */

import { readdirSync, readFileSync } from 'node:fs';
import type { ParsedTable } from '../../../server/engine/documents/types.ts';
import { f1 } from '../../support/documents/adjacency.ts';
import { drawPages } from '../../support/documents/forms/scanner.ts';
import { type AnnotatedTable, readAnnotation, scoreTables } from '../../support/documents/icdar2013.ts';
import { progress, rounded } from '../measure.ts';
import { folder, part } from './data.ts';
import { parse } from './parse.ts';

const dotsPerInch = 150;

/** Tables of the annotated pages, each read from its picture. */
async function tablesOfPictures(pdf: Uint8Array, expected: AnnotatedTable[]): Promise<ParsedTable[]> {
  const numbers = [...new Set(expected.map((table) => table.page))];
  const pictures = await drawPages(pdf, numbers, dotsPerInch);
  const tables: ParsedTable[] = [];
  for (const [index, picture] of pictures.entries())
    tables.push(...(await parse(picture)).tables.map((table) => ({ ...table, page: numbers[index]! })));
  return tables;
}

class Mean {
  readonly #scores: { precision: number; recall: number }[] = [];
  add(score: { precision: number; recall: number }): void {
    this.#scores.push(score);
  }
  f1(): number {
    const mean = (key: 'precision' | 'recall'): number =>
      this.#scores.reduce((sum, score) => sum + score[key], 0) / this.#scores.length;
    return rounded(f1(mean('precision'), mean('recall')));
  }
}

export async function measureTables(
  quick: boolean,
): Promise<{ f1: number | null; rasterized_f1: number | null }> {
  const source = folder('doc-icdar2013-eu');
  if (!source) return { f1: null, rasterized_f1: null };
  const files = readdirSync(source).filter((file) => file.endsWith('.pdf'));
  const [digital, rasterized] = [new Mean(), new Mean()];
  for (const [index, file] of (quick ? files.slice(0, 3) : part(files)).entries()) {
    const expected = readAnnotation(readFileSync(new URL(file.replace('.pdf', '-str.xml'), source), 'utf8'));
    const bytes = readFileSync(new URL(file, source));
    const score = scoreTables((await parse(bytes)).tables, expected);
    digital.add(score);
    progress(`${file}: precision ${score.precision.toFixed(3)}, recall ${score.recall.toFixed(3)}`);
    if (quick && index > 0) continue;
    const fromPicture = scoreTables(await tablesOfPictures(bytes, expected), expected);
    rasterized.add(fromPicture);
    progress(`  as a picture: ${fromPicture.precision.toFixed(3)}, ${fromPicture.recall.toFixed(3)}`);
  }
  return { f1: digital.f1(), rasterized_f1: rasterized.f1() };
}
