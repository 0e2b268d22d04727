/** Redaction and anonymization: plans, ciphers, and the operations over fixtures. */
import { describe, expect, test, vi } from 'vitest';
import { redactPages } from '../../../server/engine/documents/pages/draw-pages.ts';
import type { PageLine } from '../../../server/engine/documents/types.ts';
import { isLabelText } from '../../../server/services/redaction/label-text.ts';
import { findPersonalSpans } from '../../../server/services/redaction/personal-spans.ts';
import {
  patternSpans,
  placeText,
  type Redaction,
  readablePlace,
  readThrough,
  repeatedRedactions,
  spanRedactions,
  stillReadable,
  unsureWarnings,
} from '../../../server/services/redaction/redaction-plan.ts';
import { createValueCipher } from '../../../server/services/redaction/value-cipher.ts';
import { makePdf, parse } from '../../engine/documents/helpers.ts';
import { openTestApp, send } from '../../support/app/test-app.ts';
import { detectPii } from '../../support/moderation/shield-pack.ts';

const lineOf = (text: string, row: number, page: number): PageLine => ({
  page,
  text,
  bbox: [0, row / 10, 1, row / 10 + 0.05],
  words: text.split(' ').map((word, at) => ({
    text: word,
    bbox: [at / 10, row / 10, at / 10 + 0.09, row / 10 + 0.05],
  })),
});
const lines = ['Write to siti@example.com soon', 'or call 012-345 6789'].map((text, row) =>
  lineOf(text, row, 2),
);

describe('a plan', () => {
  test('many values are looked for in letters that were read once', () => {
    const count = 200;
    const many = Array.from({ length: count }, (_, row): PageLine => {
      const bbox: PageLine['bbox'] = [0, row / count, 1, (row + 0.5) / count];
      return { page: 1, text: `person${row} x`, bbox, words: [{ text: `person${row} x`, bbox }] };
    });
    const placed = placeText([...many, ...many.map((line) => ({ ...line, page: 2 }))]);
    const first = many.map(
      ({ page, bbox, text }): Redaction => ({ reason: 'pii', label: 'name', page, bbox, text }),
    );
    const read = vi.spyOn(String.prototype, 'toUpperCase');
    const again = repeatedRedactions(first, placed);
    const reads = read.mock.calls.length;
    read.mockRestore();
    expect(again).toHaveLength(count);
    expect(reads).toBeLessThan(5 * count);
  });

  test('pattern matches stand where their words stand', () => {
    const placed = placeText(lines);
    const [spans, bad] = [
      patternSpans(['\\d{3}-\\d{3} \\d{4}'], placed),
      () => patternSpans(['a', '(?=b)'], placed),
    ];
    const [redaction] = spanRedactions(spans, placed, 'pattern');
    expect(redaction).toMatchObject({
      page: 2,
      text: '012-345 6789',
      bbox: [0.2, 0.1, 0.39, expect.closeTo(0.15)],
    });
    expect(bad).toThrow('patterns[1]');
  });

  test('a value found at one place is blacked out at the others too', () => {
    const at = (text: string, row: number) => lineOf(text, row, 1);
    const placed = placeText([
      at('registered in England (No. 4711),', 0),
      at('laws of England and Wales', 1),
    ]);
    const start = placed.text.indexOf('England');
    const first = spanRedactions([{ start, end: start + 7, kind: 'place' }], placed, 'pii');
    const again = repeatedRedactions(first, placed);
    expect(again).toMatchObject([
      {
        label: 'place',
        page: 1,
        text: 'England',
        bbox: [0.2, 0.1, expect.closeTo(0.29), expect.closeTo(0.15)],
      },
    ]);
    expect(repeatedRedactions([...first, ...again], placed)).toEqual([]);
    expect(readablePlace(first[0]!, placeText([at('laws of England', 1)]))).toMatchObject({
      page: 1,
      bbox: again[0]!.bbox,
    });
    const short = [{ ...first[0]!, text: 'and' }];
    expect(repeatedRedactions(short, placeText([at('Andaman Sea', 0)]))).toEqual([]);
  });

  test('lines that were read with little certainty are told by page and height', () => {
    const unsure = lines.map((line) => ({
      ...line,
      words: line.words.map((word) => ({ ...word, confidence: 0.5 })),
    }));
    expect(unsureWarnings(lines)).toEqual([]);
    expect(unsureWarnings(unsure)).toEqual([
      expect.stringMatching(/^2 lines were .* page 2, at 3 %, 13 % of/),
    ]);
  });

  test('a text that stands elsewhere too is still readable', () => {
    const redaction: Redaction = {
      reason: 'pii',
      label: 'x',
      page: 1,
      bbox: [0, 0, 1, 1],
      text: 'Siti Rahman',
    };
    expect(stillReadable([redaction], 'signed: SITI  RAHMAN.')).toEqual([redaction]);
    expect(stillReadable([redaction], 'signed: Ana')).toEqual([]);
  });
});

const redactionOf = (text: string, bbox: Redaction['bbox'] = [0, 0, 1, 1]): Redaction => {
  return { reason: 'area', label: 'x', page: 2, bbox, text };
};

describe('an address over lines', () => {
  type Text = (value: string, x: number, y: number) => void;
  const address = ['Lot 14, Jalan Industri 5', '93350 Kuching', 'Sarawak'];
  const at = (left: number, texts: string[], text: Text) => {
    for (const [row, value] of texts.entries()) text(value, left, 100 + row * 15);
  };
  const layouts: Record<string, (text: Text) => void> = {
    left: (text) => at(60, address, text),
    right: (text) => {
      at(60, ['Your order: 4711', 'Your letter of 3 May', 'Department: Sales'], text);
      at(330, address, text);
    },
    'label left': (text) => {
      text('Deliver to:', 60, 100);
      at(150, address, text);
    },
    'label above': (text) => {
      for (const left of [60, 330]) at(left, ['Ship to', ...address], text);
    },
  };
  const painted = async (bytes: Uint8Array) => {
    const { lines: read } = await parse(bytes, { outputFormat: 'text', withLines: true });
    const placed = placeText(read!);
    return spanRedactions(detectPii(placed.text), placed, 'pii').flatMap(({ text, label }) =>
      label === 'address' ? [text.replace(/,$/, '')] : [],
    );
  };

  test.each(Object.keys(layouts))('%s', async (layout) => {
    const times = layout === 'label above' ? 2 : 1;
    const bytes = await makePdf((_, text) => layouts[layout]!(text));
    expect(await painted(bytes)).toEqual(Array.from({ length: times }, () => address).flat());
  });

  test('in a column beside another of a Chinese paper', () => {
    const rows = ['上海市浦东新区世纪大道100号', '环球金融中心15楼'];
    const read = rows.flatMap((own, row) =>
      ['订单 4711', own].map((text, column): PageLine => {
        const bbox = [column / 2, row / 40, column / 2 + 0.4, row / 40 + 0.015] as PageLine['bbox'];
        return { page: 1, text, bbox, words: [{ text, bbox }] };
      }),
    );
    const placed = placeText(read);
    const [span] = detectPii(placed.text).filter(({ kind }) => kind === 'address');
    expect(placed.text.slice(span!.start, span!.end)).toBe(rows.join('\n'));
  });

  test('of a scan', async () => {
    const bytes = await makePdf((_, text) => layouts.right!(text));
    const { pdf } = await redactPages({ bytes, pages: null, areas: [] });
    expect((await painted(pdf)).join('\n')).toBe(address.join('\n'));
  }, 60_000);
});

describe('what can still be read', () => {
  test('an area without a text of its own is looked at where it is', () => {
    const area = redactionOf('', [0.15, 0, 0.35, 0.06]);
    expect(readThrough([area], lines, lines)).toEqual([area]);
    expect(readThrough([area], lines, lines.slice(1))).toEqual([]);
    expect(
      readThrough(
        [area],
        lines,
        lines.map((line) => ({ ...line, page: 3 })),
      ),
    ).toEqual([]);
    const elsewhere = [
      { ...lines[0]!, words: [{ text: 'siti@example.com', bbox: [0.6, 0.5, 0.7, 0.55] as never }] },
    ];
    expect(readThrough([area], lines, elsewhere)).toEqual([]);
  });

  const readable = (chosen: string, text: string) => stillReadable([redactionOf(chosen)], text).length > 0;

  test('words as they were, in other case, and run together', () => {
    expect(readable('Siti Rahman', 'by SITI\n RAHMAN today')).toBe(true);
    expect(readable('Siti Rahman', 'bySitiRahmantoday')).toBe(true);
    expect(readable('12 Jalan Ampang\n50450 Kuala Lumpur', '50450 Kuala Lumpur')).toBe(true);
    expect(readable('Siti Rahman', 'by today')).toBe(false);
  });

  test('short words count only as words of their own', () => {
    expect(readable('Ali', 'validity')).toBe(false);
    expect(readable('Ali', 'for Ali')).toBe(true);
    expect(readable('No', 'No')).toBe(false);
  });
});

describe('labels', () => {
  test.each(['TAX INVOICE', 'Invoice Date', 'Due Date', 'Bill To:', 'Jumlah', 'Bank Account No.'])(
    '%s is no person’s',
    (text) => expect(isLabelText(text)).toBe(true),
  );
  test.each(['Siti Rahman', 'Bill Gates', '012-345 6789', 'Hotel Bayu Senja Berhad', 'Invoice 4711', ''])(
    '%j may be',
    (text) => expect(isLabelText(text)).toBe(false),
  );
});

describe('the new pages', () => {
  test('are pictures without any text, with the areas painted', async () => {
    const bytes = await makePdf(
      (_, text) => text('Account 4711 4712', 60, 100, 20),
      () => {},
    );
    const { pdf, pages } = await redactPages({
      bytes,
      pages: '1',
      areas: [{ page: 1, bbox: [0, 0, 1, 0.5] }],
    });
    expect(pages).toBe(1);
    expect(Buffer.from(pdf).includes('4711')).toBe(false);
    const { text } = await parse(pdf, { outputFormat: 'text' });
    expect(text!.trim()).toBe('');
  });
});

test('each page that is painted is told: twenty take longer than one may', async () => {
  const bytes = await makePdf(...[1, 2, 3].map(() => () => {}));
  let told = 0;
  await redactPages({ bytes, pages: null, areas: [] }, () => told++);
  expect(told).toBe(3);
});

describe('values', () => {
  test('are turned back with their key alone, and one value has one sign', async () => {
    const cipher = await createValueCipher('a key of the caller');
    const sign = cipher.encrypt('siti@example.com');
    expect(cipher.encrypt('siti@example.com')).toBe(sign);
    expect(cipher.decrypt(sign)).toBe('siti@example.com');
    expect((await createValueCipher('another key of theirs')).decrypt(sign)).toBeNull();
    expect(cipher.decrypt(sign.slice(0, -2))).toBeNull();
  });

  test('of a long text are found beyond its first piece', async () => {
    const text = `${'no name here. '.repeat(1500)}ana@example.com`;
    const engines = {
      call: async (_role: string, _method: string, params: { text: string }) => {
        const start = params.text.indexOf('ana@');
        return {
          spans: start < 0 ? [] : [{ category: 'pii_exposure', start, end: start + 15, kind: 'email' }],
        };
      },
    };
    const found = await findPersonalSpans(text, null, { engines, call: {} } as never);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['ana@example.com']);
  });
});

describe('the operations', () => {
  const setUp = () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    return (path: string, body: object) => send(app, `/v1/${path}`, key, { body });
  };
  const secret = 'sixteen signs or more';
  const text = 'See fixture-flag:pii_exposure and fixture-flag:pii_exposure.';

  test('redaction by a key that may not moderate says which scope it wants', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test', scopes: ['documents'] });
    const body = { model: 'svc-parse-pro', file: Buffer.from('%PDF-1.7').toString('base64') };
    const answer = await send(app, '/v1/documents/redact', key, { body });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toMatchObject({ code: 'insufficient_scope', param: 'pii' });
    const fields = { ...body, pii: false, fields: ['total'] };
    expect((await send(app, '/v1/documents/redact', key, { body: fields })).statusCode).toBe(200);
  });

  test('mask, pseudonyms, and encryption that is turned back', async () => {
    const ask = setUp();
    expect((await ask('text/anonymize', { text })).json().text).toBe(
      'See [PERSONAL_DATA] and fixture-flag:pii_exposure.',
    );
    const pseudonym = await ask('text/anonymize', { text, method: 'pseudonym' });
    expect(pseudonym.json().text).toContain('[PERSONAL_DATA_1]');
    const encrypted = (await ask('text/anonymize', { text, method: 'encrypt', key: secret })).json();
    expect(encrypted.entities).toHaveLength(1);
    expect(encrypted.text).not.toContain('See fixture-flag');
    const back = await ask('text/deanonymize', { text: encrypted.text, key: secret });
    expect(back.json()).toMatchObject({ text, restored: 1 });
    const wrong = await ask('text/deanonymize', { text: encrypted.text, key: `${secret}!` });
    expect(wrong.json().error).toMatchObject({ code: 'invalid_value', param: 'key' });
    expect(wrong.body).not.toContain(secret);
  });

  test('a kind that nothing is found by is refused with its place', async () => {
    const ask = setUp();
    const anonymized = await ask('text/anonymize', { text, kinds: ['email', 'nope'] });
    expect([anonymized.statusCode, anonymized.json().error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_value', param: 'kinds[1]' }),
    ]);
    const file = Buffer.from('%PDF-1.7').toString('base64');
    const redacted = await ask('documents/redact', { model: 'svc-parse-pro', file, pii: ['nope'] });
    expect(redacted.json().error).toMatchObject({ code: 'invalid_value', param: 'pii[0]' });
    expect((await ask('text/anonymize', { text, kinds: ['personal_data'] })).json().entities).toHaveLength(1);
  });

  test('encrypt needs a key', async () => {
    const { error } = (await setUp()('text/anonymize', { text, method: 'encrypt' })).json();
    expect(error).toMatchObject({ code: 'missing_field', param: 'key' });
  });

  test('redact answers with a checked PDF and its report', async () => {
    const ask = setUp();
    const file = Buffer.from(await makePdf((_, draw) => draw('a', 60, 60))).toString('base64');
    const body = { model: 'svc-parse-pro', file, template: 'invoice', fields: ['total'], pii: false };
    const answer = (await ask('documents/redact', body)).json();
    expect(answer).toMatchObject({
      redactions: [{ reason: 'field', label: 'total', page: 1 }],
      check: { passed: true, readable: [] },
      usage: { pages: 1 },
    });
    expect(Buffer.from(answer.file, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(answer.redactions[0].text).toBeUndefined();
    const { preview, areas } = {
      preview: (await ask('documents/redact', { ...body, preview: true })).json(),
      areas: (
        await ask('documents/redact', {
          model: 'svc-parse-pro',
          file,
          areas: [{ page: 1, bbox: [0, 0, 1, 1], label: 'Box 1', text: 'Siti Rahman' }],
        })
      ).json(),
    };
    expect(preview).toMatchObject({
      file: null,
      check: null,
      redactions: [{ label: 'total', text: '108.00' }],
    });
    expect(areas).toMatchObject({
      redactions: [{ reason: 'area', label: 'Box 1' }],
      check: { passed: true },
    });
    const none = await ask('documents/redact', { model: 'svc-parse-pro', file, pii: false });
    expect(none.json().error).toMatchObject({ code: 'missing_field', param: 'fields' });
    const bad = await ask('documents/redact', { ...body, patterns: ['('] });
    expect(bad.json().error).toMatchObject({ code: 'invalid_value', param: 'patterns[0]' });
  });
});
