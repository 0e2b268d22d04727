import { expect, it } from 'vitest';
import { redactInPieces } from '../../server/cli/folders/redact-in-pieces.ts';

/** A server whose document has so many pages; `asked` holds the selections that it is asked for. */
function serverWith(pages: number) {
  const asked: (string | undefined)[] = [];
  const api = {
    console: async () => ({ page: 1, pages, png: '' }),
    ask: async (_path: string, body: { pages?: string }) => {
      asked.push(body.pages);
      return { file: 'AAAA', check: { passed: true, readable: [] } };
    },
  };
  return { asked, redact: (bytes: Buffer) => redactInPieces(bytes, { model: 'x' }, api as never) };
}

it('a long document is redacted in pieces of twenty pages', async () => {
  const { asked, redact } = serverWith(45);
  const made = await redact(Buffer.from('%PDF-1.7'));
  expect(asked).toEqual(['1-20', '21-40', '41-45']);
  expect(made.map(({ suffix }) => suffix)).toContain('.pages-41-45.redacted.pdf');
});

it.each(['%PDF-1.7', 'a mail'])('a short one, %s, in one', async (start) => {
  const { asked, redact } = serverWith(20);
  const made = await redact(Buffer.from(start));
  expect(asked).toEqual([undefined]);
  expect(made.map(({ suffix }) => suffix)).toEqual(['.redacted.pdf', '.report.json']);
});
