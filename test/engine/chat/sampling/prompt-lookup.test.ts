import { describe, expect, it } from 'vitest';
import { DraftLength, draftTokens } from '../../../../server/engine/chat/sampling/prompt-lookup.ts';

describe('lookUp', () => {
  it('gives what followed the last tokens when they stood before', () => {
    expect(draftTokens([1, 2, 3, 4, 5, 9, 2, 3], 3)).toEqual([4, 5, 9]);
    expect(draftTokens([1, 2, 3, 4, 5, 9, 2, 3], 1)).toEqual([4]);
  });

  it('prefers the longest match, then the latest', () => {
    expect(draftTokens([7, 1, 2, 8, 0, 1, 2, 9, 7, 1, 2], 1)).toEqual([8]);
    expect(draftTokens([1, 2, 8, 0, 1, 2, 9, 5, 1, 2], 1)).toEqual([9]);
  });

  it('finds repetition that overlaps the end', () => {
    expect(draftTokens([4, 4, 4, 4, 4, 4], 3)).toEqual([4]);
    expect(draftTokens([1, 2, 1, 2, 1, 2], 4)).toEqual([1, 2]);
  });

  it('gives nothing without a match', () => {
    expect(draftTokens([1, 2, 3, 4], 3)).toEqual([]);
    expect(draftTokens([1], 3)).toEqual([]);
    expect(draftTokens([], 3)).toEqual([]);
  });
});

describe('DraftLength', () => {
  it('grows while drafts are taken whole', () => {
    const length = new DraftLength();
    expect(length.next()).toBe(3);
    length.report(3, 3);
    expect(length.next()).toBe(7);
    length.report(7, 7);
    length.report(15, 15);
    expect(length.next()).toBe(15);
    length.report(15, 4);
    expect(length.next()).toBe(3);
  });

  it('pauses for longer after each failure', () => {
    const length = new DraftLength();
    length.report(3, 0);
    expect([length.next(), length.next(), length.next()]).toEqual([0, 0, 3]);
    length.report(3, 0);
    const next = Array.from({ length: 5 }, () => length.next());
    expect(next).toEqual([0, 0, 0, 0, 3]);
  });
});
