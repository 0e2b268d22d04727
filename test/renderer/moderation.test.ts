import { describe, expect, it } from 'vitest';
import { Problem } from '../../renderer/src/api/problem.ts';
import { leftAgain, placesByKind, replacePlaces } from '../../renderer/src/pages/moderation/anonymized.ts';
import {
  type BatchChoice,
  type BatchRow,
  batchCsv,
  chooseRows,
  guessColumn,
  runBatch,
} from '../../renderer/src/pages/moderation/batch.ts';
import {
  joinOutcomes,
  type SafetyOutcome,
  toSegments,
} from '../../renderer/src/pages/moderation/categories.ts';

const outcome = (flagged: boolean): SafetyOutcome => ({
  flagged,
  categories: { violence: { flagged, score: 0.9 } },
  category_scores: { violence: 0.9 },
  spans: [],
});

describe('toSegments', () => {
  it('cuts overlapping spans apart and keeps the text whole', () => {
    const spans = [
      { category: 'pii_exposure' as const, start: 2, end: 6, kind: 'email' },
      { category: 'violence' as const, start: 4, end: 8 },
    ];
    const segments = toSegments('0123456789', spans);
    expect(segments.map(({ text, spans: own }) => [text, own.length])).toEqual([
      ['01', 0],
      ['23', 1],
      ['45', 2],
      ['67', 1],
      ['89', 0],
    ]);
  });

  it('names each span once, behind its last words that no shorter one covers', () => {
    const spans = [
      { category: 'harassment' as const, start: 0, end: 10 },
      { category: 'pii_exposure' as const, start: 2, end: 4, kind: 'phone' },
      { category: 'pii_exposure' as const, start: 7, end: 10, kind: 'name' },
    ];
    const names = toSegments('0123456789', spans).map(({ text, named: own }) => [
      text,
      own.map(({ category, ...span }) => ('kind' in span ? span.kind : category)),
    ]);
    expect(names).toEqual([
      ['01', []],
      ['23', ['phone']],
      ['456', ['harassment']],
      ['789', ['name']],
    ]);
    expect(toSegments('0123456789', spans).map(({ inner }) => inner)).toEqual([false, true, false, true]);
    const same = [{ category: 'violence' as const, start: 0, end: 10 }, ...spans.slice(0, 1)];
    expect(toSegments('0123456789', same)).toMatchObject([{ inner: false, named: same }]);
    const address = [
      { category: 'violence' as const, start: 0, end: 23 },
      { category: 'pii_exposure' as const, start: 16, end: 22, kind: 'email' },
    ];
    const withDot = toSegments('I will kill you a@b.my.', address);
    expect(withDot.map(({ named }) => named.map(({ category }) => category))).toEqual([
      ['violence'],
      ['pii_exposure'],
      [],
    ]);
  });
});

describe('joinOutcomes', () => {
  it('keeps the highest score, what any piece flagged, and spans where they lie in the whole', () => {
    const mild: SafetyOutcome = {
      flagged: false,
      categories: {
        violence: { flagged: false, score: 0.2 },
        fraud_deception: { flagged: false, score: 0.4 },
      },
      category_scores: { violence: 0.2, fraud_deception: 0.4 },
      spans: [{ category: 'pii_exposure', start: 1, end: 3, kind: 'name' }],
    };
    const pieces = [
      { text: 'aaaa', start: 0, lines: 0 },
      { text: 'bbbb', start: 4, lines: 1 },
    ];
    expect(joinOutcomes([outcome(true), mild], pieces)).toEqual({
      flagged: true,
      categories: {
        violence: { flagged: true, score: 0.9 },
        fraud_deception: { flagged: false, score: 0.4 },
      },
      category_scores: { violence: 0.9, fraud_deception: 0.4 },
      spans: [{ category: 'pii_exposure', start: 5, end: 7, kind: 'name' }],
    });
  });
});

describe('guessColumn', () => {
  it('goes by the name, else by the longest cells', () => {
    expect(
      guessColumn([
        ['id', 'Text'],
        ['1', 'a'],
      ]),
    ).toBe(1);
    expect(
      guessColumn([
        ['id', 'remark'],
        ['1', 'a longer one'],
      ]),
    ).toBe(1);
    expect(guessColumn([])).toBe(0);
  });
});

describe('runBatch', () => {
  const collect = () => {
    const rows: BatchRow[] = [];
    return { rows, onRow: (index: number, row: BatchRow) => (rows[index] = row) };
  };

  it('keeps the order, marks refusals and goes on', async () => {
    const { rows, onRow } = collect();
    await runBatch(['a', 'b', 'c', 'd', 'e', 'f'], {
      classify: async (text) => {
        if (text === 'b') throw new Problem('no', { status: 400, code: 'input_too_long' });
        return outcome(text === 'f');
      },
      signal: new AbortController().signal,
      onRow,
    });
    expect(rows.map(({ text, error }) => [text, error])).toEqual([
      ['a', null],
      ['b', 'input_too_long'],
      ['c', null],
      ['d', null],
      ['e', null],
      ['f', null],
    ]);
    const sheet = {
      name: 'x.csv',
      rows: [['id', 'text', 'flagged'], ...[...'abcdef'].map((text, at) => [`t${at}`, text, 'no'])],
      column: 1,
      hasHeader: true,
    };
    const csv = batchCsv(sheet, rows);
    expect(csv.startsWith('id,text,flagged,lokal_flagged,flagged_categories,error,violence,')).toBe(true);
    expect(csv).toContain('t5,f,no,true,violence,,0.9');
    expect(csv).toContain('t1,b,no,,,input_too_long,');
  });

  it('shows the rows that are asked for, in the order asked for', () => {
    const texts = ['calm', 'bad one', 'worse', 'not yet'];
    const judged = (flagged: boolean, violence: number) => ({
      ...outcome(flagged),
      category_scores: { violence },
    });
    const rows = [judged(false, 0.1), judged(true, 0.6), judged(true, 0.9)].map((each, at) => ({
      text: texts[at]!,
      outcome: each as SafetyOutcome,
      error: null,
    }));
    const choose = (choice: Partial<BatchChoice>) =>
      chooseRows(
        { texts, rows },
        { flaggedOnly: false, search: '', sort: { by: 'place', descending: false }, ...choice },
      );
    expect(choose({})).toEqual([0, 1, 2, 3]);
    expect(choose({ flaggedOnly: true })).toEqual([1, 2]);
    expect(choose({ search: 'ONE bad' })).toEqual([1]);
    expect(choose({ sort: { by: 'score', descending: true } })).toEqual([2, 1, 0, 3]);
    expect(choose({ sort: { by: 'verdict', descending: false } })).toEqual([1, 2, 0, 3]);
    expect(choose({ sort: { by: 'place', descending: true } })).toEqual([3, 2, 1, 0]);
  });

  it('waits as long as the server says, then tries again', async () => {
    const { rows, onRow } = collect();
    const waits: number[] = [];
    let refused = false;
    await runBatch(['a'], {
      classify: async () => {
        if (!refused) {
          refused = true;
          throw new Problem('slow', { status: 429, code: 'rate_limit_error', retryAfterMs: 1234 });
        }
        return outcome(false);
      },
      signal: new AbortController().signal,
      onRow,
      wait: async (ms) => void waits.push(ms),
    });
    expect(waits).toEqual([1234]);
    expect(rows[0]?.outcome).not.toBe(null);
  });

  it('stops asking once aborted', async () => {
    const abort = new AbortController();
    let asked = 0;
    await runBatch(Array.from({ length: 50 }, String), {
      classify: async () => {
        asked += 1;
        abort.abort();
        return outcome(false);
      },
      signal: abort.signal,
      onRow: () => undefined,
    });
    expect(asked).toBeLessThanOrEqual(4);
  });
});

describe('an anonymized text', () => {
  const text = 'a@b.my wrote to Ali, then c@d.my';
  const places = [
    { kind: 'email', start: 0, end: 6, replacement: '[EMAIL]' },
    { kind: 'name', start: 16, end: 19, replacement: '[NAME]' },
    { kind: 'email', start: 26, end: 32, replacement: '[EMAIL]' },
  ];

  it('has each place replaced but those that are left', () => {
    expect(replacePlaces(text, places, new Set())).toBe('[EMAIL] wrote to [NAME], then [EMAIL]');
    expect(replacePlaces(text, places, new Set([0, 1]))).toBe('a@b.my wrote to Ali, then [EMAIL]');
    expect(replacePlaces(text, [], new Set())).toBe(text);
  });

  it('leaves again what was left before', () => {
    expect(leftAgain([places[1]!], [places[0]!, places[1]!])).toEqual(new Set([1]));
    expect(leftAgain([], places)).toEqual(new Set());
  });

  it('lists its places by kind', () => {
    expect(placesByKind(places)).toEqual([
      { kind: 'email', indices: [0, 2] },
      { kind: 'name', indices: [1] },
    ]);
  });
});
