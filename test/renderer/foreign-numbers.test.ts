import { describe, expect, it } from 'vitest';
import { foreignNumbers } from '../../renderer/src/pages/chat/model/foreign-numbers.ts';

const letter = 'On 3 May 2026 Lim paid RM 1,250.00 in 60 parts. Call 012-345 6789. File 2231.';

describe('Numbers of an answer', () => {
  it.each([
    ['He paid RM 1250.', []],
    ['1,250.00 in 60 parts', []],
    ['On 2026-05-03, or 03/05/2026.', []],
    ['Call 012-3456789 or 012-345678901.', ['012-345678901']],
    ['Call 012-345 6789', []],
    ['In 12 months, 1. at once', ['12']],
    ['File 22312231, 22312231', ['22312231']],
  ])('that stand nowhere in the text are named: %s', (answer, foreign) => {
    expect(foreignNumbers(answer, [letter])).toEqual(foreign);
  });
});
