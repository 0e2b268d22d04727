import { expect, test } from 'vitest';
import type { Word } from '../../../../server/engine/documents/document.ts';
import { withoutRepeats } from '../../../../server/engine/documents/pages/scan-words.ts';

const word = (text: string, from: number, to: number, top = 45): Word => ({
  ...{ text, box: [from, top, to, top + 10], baseline: top + 8, size: 10 },
  ...{ bold: false, turned: false, source: 'recognition', confidence: 0.98 },
});

test('the last letter of a word that the next place took in is not read twice', () => {
  const words = [word('PEAK', 20, 60), word('K', 51, 60), word('CHARGE', 70, 130)];
  expect(withoutRepeats(words).map(({ text }) => text)).toEqual(['PEAK', 'CHARGE']);
});

test('a like letter behind its word or on another row stays', () => {
  const words = [word('VITAMIN', 20, 90), word('N', 98, 106), word('N', 80, 90, 60)];
  expect(withoutRepeats(words)).toHaveLength(3);
});
