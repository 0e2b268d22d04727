/** Mails whose body is RTF alone. */
import { describe, expect, test } from 'vitest';
import type { CompoundFile } from '../../../../../server/engine/documents/office/mail/compound-file.ts';
import { inflateRtf } from '../../../../../server/engine/documents/office/mail/compressed-rtf.ts';
import { readMsg } from '../../../../../server/engine/documents/office/mail/read-msg.ts';
import { readRichText } from '../../../../../server/engine/documents/office/text/rich-text.ts';

/** The examples of [MS-OXRTFCP], 3.1 and 3.2: runs of what was read before, and one that overlaps itself. */
const example = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
);
const simple = Buffer.from('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex');

const packed = (rtf: string): Uint8Array => {
  const body = Buffer.from(rtf, 'latin1');
  const head = Buffer.alloc(16);
  head.writeUInt32LE(body.length + 12, 0);
  head.writeUInt32LE(body.length, 4);
  head.write('MELA', 8, 'latin1');
  return Buffer.concat([head, body]);
};

/** A compound file of these streams. */
const mail = (streams: Record<string, Uint8Array>): CompoundFile =>
  ({ entries: [], read: (path: string) => streams[path] ?? null }) as unknown as CompoundFile;

const textOf = (rtf: string): string | null => readRichText(Buffer.from(rtf, 'latin1')).text;

describe('compressed RTF', () => {
  test('runs are copied out of what was read before, and out of themselves', () => {
    expect(Buffer.from(inflateRtf(example)!).toString('latin1')).toBe(
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    );
    expect(Buffer.from(inflateRtf(simple)!).toString('latin1')).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
  });

  test('bytes of another kind hold none, and cut ones give what is there', () => {
    expect(inflateRtf(Uint8Array.of(1, 2, 3))).toBeNull();
    expect(inflateRtf(new Uint8Array(40))).toBeNull();
    expect(Buffer.from(inflateRtf(simple.subarray(0, 22))!).toString('latin1')).toMatch(/^\{\\rtf1 W/);
  });
});

describe('RTF', () => {
  test('fonts and colors are no text, paragraphs are lines, signs of code pages and Unicode are read', () => {
    const rtf =
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\colortbl;\\red0;}{\\*\\generator X;}\\pard Caf\\'e9 \\b au\\b0  lait\\par 5 \\u8364? \\{a\\}\\par}";
    expect(textOf(rtf)).toBe('Café au lait\n5 € {a}\n');
  });

  test('two bytes make a Chinese character', () => {
    expect(textOf("{\\rtf1\\ansicpg936 \\'b2\\'e8\\'d2\\'b6}")).toBe('茶叶');
  });

  test('a wrapped page comes out as the page, without what RTF says again', () => {
    const rtf =
      '{\\rtf1\\fromhtml1{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Tea < milk\\htmlrtf }\\par\\htmlrtf0{\\*\\htmltag72 </p>}}';
    expect(readRichText(Buffer.from(rtf))).toEqual({ html: '<p>Tea &lt; milk</p>', text: null });
  });

  test('what is no RTF says nothing, and groups that never end end', () => {
    expect(textOf('hello')).toBeNull();
    expect(textOf(`{\\rtf1 a${'{'.repeat(5000)}b${'}'.repeat(9000)}c`)).toBe('abc');
  });
});

test('a mail with nothing but RTF is read from it', () => {
  const flow = readMsg(
    mail({
      '__substg1.0_0037001F': Buffer.from('Visit', 'utf16le'),
      '__substg1.0_10090102': packed('{\\rtf1 We come on Monday.\\par}'),
    }),
  );
  expect(JSON.stringify(flow.sections)).toContain('We come on Monday.');
});
