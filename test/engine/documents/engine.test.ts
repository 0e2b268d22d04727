import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ParsingThread } from '../../../server/engine/documents/thread/parsing-thread.ts';
import type { ParseItem, ParseParams } from '../../../server/engine/documents/types.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { openStarter } from '../../support/documents/open-starter.ts';
import { failure, makePdf, sample } from './helpers.ts';

const engine = await openStarter();
const alive = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });
const params = (bytes: Uint8Array): ParseParams => ({
  bytes,
  template: null,
  pages: null,
  outputFormat: 'json',
});

async function collect(items: AsyncIterable<ParseItem>): Promise<ParseItem[]> {
  const all: ParseItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Forms that draw each other ten times over, nine deep: a billion characters from a kilobyte. */
function endlessPdf(): Buffer {
  const levels = 9;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
    '<</Length 4>>\nstream\n/X Do\nendstream',
  ];
  for (let level = 0; level < levels; level++) {
    const body = level === levels - 1 ? '0 0 m 1 1 l S '.repeat(10) : '/X Do '.repeat(10);
    const next = level === levels - 1 ? '' : `/XObject<</X ${level + 6} 0 R>>`;
    objects.push(
      `<</Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<${next}>>/Length ${body.length}>>\nstream\n${body}\nendstream`,
    );
  }
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${bodies}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`);
}

afterAll(() => engine.close());

describe('the documents engine', () => {
  test('progress page by page, then one result', async () => {
    const bytes = await makePdf(
      ...['one', 'two', 'three'].map(
        (word) => (_page: unknown, text: (v: string, x: number, y: number) => void) => text(word, 50, 50),
      ),
    );
    const items = await collect(engine.methods.parse(params(bytes), alive()));
    expect(items.slice(0, 3)).toEqual([1, 2, 3].map((page) => ({ kind: 'progress', page, pages: 3 })));
    expect(items.at(-1)).toMatchObject({ kind: 'result', result: { type: 'generic', pages: 3 } });
  });

  test('refusals cross the thread with their code', async () => {
    const noise = Buffer.from('not a document\0');
    expect(await failure(collect(engine.methods.parse(params(noise), alive())))).toMatchObject({
      name: 'EngineError',
      code: 'unsupported_media',
      param: 'file',
    });
  });

  test('page pictures and page counts', async () => {
    const bytes = await readFile(sample('invoice'));
    expect(await engine.methods.pageCount({ bytes }, alive())).toEqual({ pages: 1 });
    const { png } = await engine.methods.pageImage({ bytes, page: 1, widthPx: 300 }, alive());
    const head = Buffer.from(png);
    expect(head.subarray(1, 4).toString()).toBe('PNG');
    expect(head.readUInt32BE(16)).toBe(300);
    expect(await failure(engine.methods.pageImage({ bytes, page: 2, widthPx: 300 }, alive()))).toMatchObject({
      code: 'invalid_page_range',
    });
    expect(await failure(engine.methods.pageImage({ bytes, page: 1, widthPx: 1e6 }, alive()))).toMatchObject({
      code: 'invalid_value',
    });
  });

  test('a caller that goes away ends the work, and the next one is served', async () => {
    const gone = new AbortController();
    const endless = collect(engine.methods.parse(params(endlessPdf()), { signal: gone.signal }));
    setTimeout(() => gone.abort(), 300);
    await expect(endless).rejects.toMatchObject({ name: 'AbortError' });
    const items = await collect(engine.methods.parse(params(await readFile(sample('invoice'))), alive()));
    expect(items.at(-1)).toMatchObject({ result: { type: 'invoice' } });
  });

  test('a page without end is given up with a contract error', async () => {
    const thread = new ParsingThread(localTextModels, { timeouts: { openMs: 3000, stallMs: 3000 } });
    const items = thread.stream('parse', params(endlessPdf()), alive());
    expect(await failure(items.next())).toMatchObject({
      code: 'document_unreadable',
      message: expect.stringMatching(/too long|memory/),
    });
    await thread.close();
  });

  test('a host whose thread is given up while it draws is replaced, and only then', async () => {
    let replaced = 0;
    const openThread = (ms: number) =>
      new ParsingThread(localTextModels, {
        timeouts: { openMs: ms, stallMs: ms },
        // Memory that the tests before have left is another reason.
        maxResidentBytes: Number.POSITIVE_INFINITY,
        replaceHost: () => {
          replaced += 1;
        },
      });
    const refused = { code: 'document_unreadable' };
    const context = alive();
    // Given up before its heap is full, for the same reason.
    const reading = openThread(800);
    expect(await failure(reading.stream('parse', params(endlessPdf()), context).next())).toMatchObject(
      refused,
    );
    expect(replaced).toBe(0);
    await reading.close();
    const drawing = openThread(3000);
    const page = { bytes: endlessPdf(), page: 1, widthPx: 300 };
    expect(await failure(drawing.call('pageImage', page, context))).toMatchObject(refused);
    expect(replaced).toBe(1);
    await drawing.close();
  });

  test.each([
    ['of the first host, which earlier documents may have filled', false, Number.POSITIVE_INFINITY],
    ['of a second one that another document filled', true, 0],
  ])('a document that outgrows the room %s is asked again', async (_name, again, roomyBytes) => {
    const ended = new AbortController();
    let replaced = 0;
    const replaceHost = () => {
      replaced += 1;
      setTimeout(() => ended.abort(new Error('the host was ended')), 50);
    };
    const thread = new ParsingThread(localTextModels, { maxResidentBytes: 1, roomyBytes, replaceHost });
    const { signal } = ended;
    const outcome = failure(thread.stream('parse', params(endlessPdf()), { signal, again }).next());
    expect(await outcome).toMatchObject({ message: 'the host was ended' });
    expect(replaced).toBe(1);
    await thread.close();
  });

  test('a document that outgrows a whole host is refused, and the host replaced: its memory does not come back at once', async () => {
    let replaced = 0;
    const thread = new ParsingThread(localTextModels, {
      maxResidentBytes: 1,
      roomyBytes: Number.POSITIVE_INFINITY,
      replaceHost: () => {
        replaced += 1;
      },
    });
    const asked = { ...alive(), again: true };
    expect(await failure(thread.stream('parse', params(endlessPdf()), asked).next())).toMatchObject({
      code: 'document_unreadable',
      message: expect.stringContaining('memory'),
    });
    expect(replaced).toBe(1);
    await thread.close();
  });
});
