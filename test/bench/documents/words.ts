/**
 * Words of the development receipts read from their pictures: of the annotated words the share that is found exactly
 * (recall), and of the words found the share that is annotated (precision), as multisets for each receipt. The annotation
 * is in capitals throughout, so letters are compared without case; everything else counts, spaces and punctuation too.
 */

import { readFileSync } from 'node:fs';
import { toRows } from '../../../server/engine/documents/layout/segments.ts';
import { readPicturePage } from '../../../server/engine/documents/pages/picture-file.ts';
import { readPage } from '../../../server/engine/documents/pipeline.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { countShared } from '../../support/documents/adjacency.ts';
import { median, progress, rounded } from '../measure.ts';
import { part } from './data.ts';
import { readReceipts } from './receipts.ts';

export type WordScores = {
  recall: number | null;
  precision: number | null;
  /** Letter triples of the lines without their spaces: how well characters are read. */
  characters: { recall: number; precision: number } | null;
  /** Median of the pages, on this machine as it is. */
  page_ms: number | null;
};

class Tally {
  shared = 0;
  found = 0;
  expected = 0;

  add(found: string[], expected: string[]): void {
    this.shared += countShared(found, expected);
    this.found += found.length;
    this.expected += expected.length;
  }

  scores(): { recall: number; precision: number } {
    return { recall: rounded(this.shared / this.expected), precision: rounded(this.shared / this.found) };
  }
}

const triples = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 2) }, (_, index) => text.slice(index, index + 3));

export async function measureWords(quick: boolean): Promise<WordScores> {
  const data = readReceipts();
  if (!data) return { recall: null, precision: null, characters: null, page_ms: null };
  const pictured = data.receipts.filter(({ image }) => image !== null);
  const models = await localTextModels();
  const [words, characters] = [new Tally(), new Tally()];
  const times: number[] = [];
  for (const { image, lines } of quick ? pictured.slice(0, 3) : part(pictured)) {
    const picture = await readPicturePage(readFileSync(new URL(image!, data.source)), 1);
    const start = performance.now();
    const source = {
      extract: async () => null,
      draw: async () => ({ image: picture, pointsPerPixel: null }),
    };
    const { document } = await readPage(1, { source, models: async () => models });
    const page = document.pages[0]!;
    times.push(performance.now() - start);
    const expected = lines.map((line) => line.text.toUpperCase());
    const found = page.words.map((word) => word.text.toUpperCase());
    words.add(
      found,
      expected.flatMap((line) => line.split(/\s+/).filter((word) => word !== '')),
    );
    characters.add(
      toRows(page.words).flatMap((row) => triples(row.map((word) => word.text.toUpperCase()).join(''))),
      expected.flatMap((line) => triples(line.replace(/\s/g, ''))),
    );
    progress(`${image}: ${times.at(-1)!.toFixed(0)} ms`);
  }
  return { ...words.scores(), characters: characters.scores(), page_ms: Math.round(median(times)) };
}
