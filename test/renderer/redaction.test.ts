/** What is painted over: fields, signatures and recognized personal data; and what must be unreadable afterwards. */
import { describe, expect, test } from 'vitest';
import {
  isLabelText,
  type PersonalDataSpan,
  toPersonalTargets,
  toPieces,
  withPersonal,
} from '../../renderer/src/pages/documents/redaction/personal-data.ts';
import { stillReadable, type Target } from '../../renderer/src/pages/documents/redaction/redaction-plan.ts';
import type { PageLines } from '../../server/api/console/console.ts';

/** Lines of words, each a tenth of the page wide. */
const linesOf = (...texts: string[]): PageLines['lines'] =>
  texts.map((text, row) => ({
    page: 1,
    text,
    bbox: [0, row / 100, 1, (row + 1) / 100],
    words: text
      .split(' ')
      .map((word, at) => ({ text: word, bbox: [at / 10, row / 100, (at + 1) / 10, (row + 1) / 100] })),
  }));

const spanOf = (text: string, found: string, kind?: string): PersonalDataSpan => {
  const start = text.indexOf(found);
  return { category: 'pii_exposure', start, end: start + found.length, ...(kind ? { kind } : {}) };
};

const target = (text: string, bbox = [0, 0, 1, 1]): Target => {
  return { id: text, label: 'x', page: 1, bbox, text, personal: true };
};

describe('personal data in the text', () => {
  test('stands where its words stand, line by line', () => {
    const [piece] = toPieces(3, linesOf('Write to siti@example.com, please', 'or call 012-345', '6789 soon'));
    const spans = [spanOf(piece!.text, 'siti@example.com', 'email'), spanOf(piece!.text, '012-345\n6789')];
    expect(toPersonalTargets(piece!, spans)).toEqual([
      {
        id: 'pii:3:0:9',
        label: 'email',
        page: 3,
        bbox: [0.2, 0, 0.3, 0.01],
        text: 'siti@example.com',
        personal: true,
      },
      expect.objectContaining({ label: 'personal_data', bbox: [0.2, 0.01, 0.3, 0.02], text: '012-345' }),
      expect.objectContaining({ label: 'personal_data', bbox: [0, 0.02, 0.1, 0.03], text: '6789' }),
    ]);
  });

  test('organizations, places, dates and job titles are offered and not chosen; names are', () => {
    const [piece] = toPieces(1, linesOf('Acme Penang Monday chef Ann'));
    const kinds = { Acme: 'organization', Penang: 'place', Monday: 'date', chef: 'job_title', Ann: 'name' };
    const spans = Object.entries(kinds).map(([found, kind]) => spanOf(piece!.text, found, kind));
    expect(toPersonalTargets(piece!, spans).map(({ personal }) => personal)).toEqual([
      ...[false, false, false, false, true],
    ]);
  });

  test('other categories are no matter of redaction', () => {
    const [piece] = toPieces(1, linesOf('kill'));
    expect(toPersonalTargets(piece!, [{ category: 'violence', start: 0, end: 4 }])).toEqual([]);
  });

  test('long pages are cut between lines, and offsets count from each cut', () => {
    const pieces = toPieces(
      1,
      linesOf(...Array.from({ length: 400 }, (_, at) => `line ${at} ${'x'.repeat(60)}`)),
    );
    expect(pieces.length).toBeGreaterThan(1);
    for (const { text, words } of pieces) {
      expect(text.length).toBeLessThanOrEqual(10_100);
      for (const { from, to } of words) expect(text.slice(from, to)).toMatch(/^\S+$/);
    }
    expect(pieces.flatMap(({ words }) => words)).toHaveLength(1200);
  });

  test('what lies in a field that is listed already is not listed again', () => {
    const field = target('a field', [0.1, 0.1, 0.5, 0.12]);
    const within = target('within', [0.2, 0.1, 0.3, 0.12]);
    const beside = target('beside', [0.6, 0.1, 0.7, 0.12]);
    expect(withPersonal([field], [within, beside])).toEqual([field, beside]);
    expect(withPersonal([field], [{ ...within, page: 2 }])).toHaveLength(2);
  });
});

describe('what can still be read', () => {
  const readable = (chosen: string, text: string) => stillReadable([target(chosen)], text).length > 0;

  test('words as they were, in other case, and run together', () => {
    expect(readable('Siti Rahman', 'by SITI\n RAHMAN today')).toBe(true);
    expect(readable('Siti Rahman', 'bySitiRahmantoday')).toBe(true);
    expect(readable('12 Jalan Ampang\n50450 Kuala Lumpur', '50450 Kuala Lumpur')).toBe(true);
    expect(readable('Siti Rahman', 'by today')).toBe(false);
  });

  test('short words count only as words of their own', () => {
    expect(readable('Ali', 'validity')).toBe(false);
    expect(readable('Ali', 'for Ali')).toBe(true);
    expect(readable('No', 'No')).toBe(false);
  });
});

describe('labels', () => {
  test.each(['TAX INVOICE', 'Invoice Date', 'Due Date', 'Bill To:', 'Jumlah', 'Bank Account No.'])(
    '%s is no person’s',
    (text) => expect(isLabelText(text)).toBe(true),
  );
  test.each(['Siti Rahman', 'Bill Gates', '012-345 6789', 'Hotel Bayu Senja Berhad', 'Invoice 4711', ''])(
    '%j may be',
    (text) => expect(isLabelText(text)).toBe(false),
  );
});
