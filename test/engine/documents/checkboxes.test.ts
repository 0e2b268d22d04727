import { expect, test } from 'vitest';
import { makePdf, parse } from './helpers.ts';

test('drawn checkboxes: crossed, filled, lettered and empty; a grid of squares is none', async () => {
  const bytes = await makePdf((page, text) => {
    const square = (x: number, y: number): void =>
      page.drawRectangle({ x, y: 842 - y, width: 10, height: 10, borderWidth: 0.8, opacity: 0 });
    const stroke = (from: [number, number], to: [number, number]): void =>
      page.drawLine({
        start: { x: from[0], y: 842 - from[1] },
        end: { x: to[0], y: 842 - to[1] },
        thickness: 0.8,
      });
    for (const [row, label] of ['Crossed', 'Lettered', 'Filled', 'Empty'].entries()) {
      square(60, 100 + row * 24);
      text(label, 76, 98 + row * 24);
    }
    stroke([60, 90], [70, 100]);
    stroke([60, 100], [70, 90]);
    text('X', 61.5, 123);
    page.drawRectangle({ x: 62, y: 842 - 146, width: 6, height: 6 });
    for (let field = 0; field < 8; field++) square(60 + field * 10, 300);
    text('IC number', 150, 298);
    // Enough print for a page whose text layer is believed.
    text('This form is kept for seven years and is not given to others without consent.', 60, 500);
    text('Gender:', 60, 400);
    square(120, 402);
    text('Female', 134, 400);
    square(190, 402);
    text('Male', 204, 400);
    stroke([190, 392], [200, 402]);
    stroke([190, 402], [200, 392]);
  });
  const result = await parse(bytes, { template: 'generic' });
  expect(result.checkboxes.map(({ label, checked }) => [label, checked])).toEqual([
    ['Crossed', true],
    ['Lettered', true],
    ['Filled', true],
    ['Empty', false],
    ['Female', false],
    ['Male', true],
  ]);
  expect(result.fields.gender!.value).toBe('Male');
});
