import { describe, expect, test } from 'vitest';
import { averagePrecision, precisions } from './precision.ts';

const box = (x: number): [number, number, number, number] => [x, 0, x + 0.1, 0.1];
const found = (score: number, x: number) => ({ label: 'table', score, box: box(x) });

describe('average precision', () => {
  test('all found, nothing else: 1', () => {
    const picture = { truth: [{ label: 'table', box: box(0) }], found: [found(0.9, 0.01)] };
    expect(averagePrecision([picture], 'table')).toBe(1);
  });

  test('a wrong guess above the right one halves it; a second guess at one box is wrong', () => {
    const truth = [{ label: 'table', box: box(0) }];
    expect(averagePrecision([{ truth, found: [found(0.9, 0.5), found(0.8, 0)] }], 'table')).toBe(0.5);
    expect(averagePrecision([{ truth, found: [found(0.9, 0), found(0.8, 0)] }], 'table')).toBe(1);
  });

  test('what is missed bounds the recall', () => {
    const truth = [0, 0.3, 0.6, 0.9].map((x) => ({ label: 'table', box: box(x) }));
    expect(averagePrecision([{ truth, found: [found(0.9, 0.3)] }], 'table')).toBe(0.25);
  });

  test('labels without truth have none', () => {
    const picture = { truth: [{ label: 'table', box: box(0) }], found: [] };
    expect(averagePrecision([picture], 'stamp')).toBeNull();
    expect(precisions([picture])).toEqual({ table: 0 });
  });
});
