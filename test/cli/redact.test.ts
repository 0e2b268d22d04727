import { expect, it } from 'vitest';
import { UsageError } from '../../server/cli/command.ts';
import { kindsOf } from '../../server/cli/folders/documents.ts';
import { redactInPieces } from '../../server/cli/folders/redact-in-pieces.ts';

/** A server whose document has so many pages; `asked` holds the selections that it is asked for. */
function serverWith(pages: number) {
  const asked: (string | undefined)[] = [];
  const api = {
    console: async () => ({ page: 1, pages, png: '' }),
    ask: async (_path: string, body: { pages?: string }) => {
      asked.push(body.pages);
      return { file: 'AAAA', check: { passed: true, readable: [] }, warnings: ['Look.'] };
    },
  };
  const warned: string[] = [];
  const tools = { api: api as never, warn: (warning: string) => warned.push(warning) };
  return { asked, warned, redact: (bytes: Buffer) => redactInPieces(bytes, { model: 'x' }, tools) };
}

it('a long document is redacted in pieces of twenty pages', async () => {
  const { asked, redact } = serverWith(45);
  const made = await redact(Buffer.from('%PDF-1.7'));
  expect(asked).toEqual(['1-20', '21-40', '41-45']);
  expect(made.map(({ suffix }) => suffix)).toContain('.pages-41-45.redacted.pdf');
});

it.each(['%PDF-1.7', 'a mail'])('a short one, %s, in one', async (start) => {
  const { asked, warned, redact } = serverWith(20);
  const made = await redact(Buffer.from(start));
  expect(asked).toEqual([undefined]);
  expect(made.map(({ suffix }) => suffix)).toEqual(['.redacted.pdf', '.report.json']);
  expect(warned).toEqual(['Look.']);
});

it('what can still be read is told by kind and place', async () => {
  const readable = [{ label: 'place', page: 3, bbox: [0.33, 0.12, 0.4, 0.14] }];
  const api = { ask: async () => ({ file: null, check: { passed: false, readable }, warnings: [] }) };
  const made = redactInPieces(Buffer.from('a mail'), { model: 'x' }, { api: api as never, warn: () => {} });
  await expect(made).rejects.toThrow('place on page 3 (33 % from the left, 12 % from the top)');
});

it('kinds of personal data are checked before a file is read', () => {
  const chosen = (pii: string) => kindsOf({ positionals: [], values: { pii }, print: () => {} }, 'pii');
  expect([chosen('email,mykad'), chosen('all')]).toEqual([['email', 'mykad'], true]);
  expect(() => chosen('email,nope')).toThrow(UsageError);
  expect(() => chosen('nope')).toThrow(/^--pii has no kind nope; there are all, \w+, /);
});
