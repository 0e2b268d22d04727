/** Boxes to tick stand as signs in text, Markdown and passages. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { makePdf, parse, sample } from '../helpers.ts';

const drawn = () =>
  makePdf((page, text) => {
    const square = (x: number, y: number): void =>
      page.drawRectangle({ x, y: 842 - y, width: 10, height: 10, borderWidth: 0.8, opacity: 0 });
    text('Breakfast', 76, 98);
    square(60, 100);
    text('X', 61.5, 99);
    text('Late checkout', 76, 122);
    square(60, 124);
    text('Room:', 60, 160);
    square(120, 162);
    text('Single', 134, 160);
    square(190, 162);
    text('X', 191.5, 161);
    text('Double', 204, 160);
    text('This form is kept for seven years and is not given to others without consent.', 60, 500);
  });

describe('a form with boxes to tick', () => {
  test('says in its text which are ticked', async () => {
    const { text } = await parse(await drawn(), { outputFormat: 'text' });
    expect(text).toMatch(/☑ Breakfast\n+☐ Late checkout\n/);
    expect(text).toMatch(/Room:\s+☐ Single\s+☑ Double/);
    expect(text).not.toMatch(/\bX\b/);
  });

  test('is a list of tasks in Markdown, choices beside each other stay in their line', async () => {
    const { markdown } = await parse(await drawn(), { outputFormat: 'markdown' });
    expect(markdown).toContain('- [x] Breakfast\n- [ ] Late checkout\n');
    expect(markdown).toMatch(/Room:\s+☐ Single\s+☑ Double/);
  });

  test('says so in passages, and for fields of a form', async () => {
    const { chunks, checkboxes } = await parse(await readFile(sample('form')), { outputFormat: 'chunks' });
    const all = chunks!.map(({ text }) => text).join('\n');
    for (const { label, checked } of checkboxes) expect(all).toContain(`${checked ? '☑' : '☐'} ${label}`);
  });
});
