import { describe, expect, it } from 'vitest';
import { lineText, logicalOrder, plainForms } from '../../../../server/engine/documents/layout/bidi.ts';

/** Words from left to right, as a page draws them. */
const read = (...drawn: string[]): string => lineText(drawn.map(logicalOrder));

describe('text from right to left', () => {
  it('is read from the right, its numbers as they stand', () => {
    expect(read('12345', ':ةروتافلا', 'مقر')).toBe('رقم الفاتورة: 12345');
  });

  it('keeps a Latin phrase inside it in order', () => {
    expect(read('תכרעמל', 'Web', 'Hosting', 'Pro', 'יתנש', 'תוריש')).toBe(
      'שירות שנתי Web Hosting Pro למערכת',
    );
  });

  it('leaves lines that read from the left alone', () => {
    expect(read('Total', 'םולש', 'of', 'all', 'invoices')).toBe('Total שלום of all invoices');
  });
});

it('writes ligatures and radicals of dictionaries as the letters they stand for', () => {
  expect(plainForms('ﬁrst ⾹港⻔⻮ 2026年6⽉')).toBe('first 香港门齿 2026年6月');
});
