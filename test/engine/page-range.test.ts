import { describe, expect, test } from 'vitest';
import { selectPages } from '../../server/engine/page-range.ts';

describe('page ranges', () => {
  test.each([
    ['3', 10, [3]],
    ['1-3', 10, [1, 2, 3]],
    ['1,4-6', 10, [1, 4, 5, 6]],
    [' 2 , 2-3 ', 10, [2, 3]],
    [null, 3, [1, 2, 3]],
    ['181-200', 10_000, Array.from({ length: 20 }, (_, index) => 181 + index)],
  ])('%j of %i pages', (selection, count, pages) => {
    expect(selectPages(selection, count)).toEqual(pages);
  });

  test.each([
    ['0', 5, /count from 1/],
    ['3-2', 5, /last page comes before its first/],
    ['6', 5, /has 5 pages/],
    ['1-', 5, /not a page range/],
    ['one', 5, /not a page range/],
    ['1;2', 5, /not a page range/],
    ['1-21', 30, /at most 20/],
    ['1-20,25', 30, /at most 20/],
    ['1-999999', 9_999_999, /at most 20/],
    [null, 21, /21 pages/],
    ['', 2, /no page is named/],
    ['  ', 2, /no page is named/],
  ])('refuses %j of %i pages', (selection, count, message) => {
    expect(() => selectPages(selection, count)).toThrow(
      expect.objectContaining({
        code: 'invalid_page_range',
        param: 'pages',
        message: expect.stringMatching(message),
      }),
    );
  });
});
