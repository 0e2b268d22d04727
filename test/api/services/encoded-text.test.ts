import { describe, expect, it, test } from 'vitest';
import {
  encodedContent,
  isReadAsDocument,
  leftOut,
  leftOutWarning,
  withoutEscapes,
} from '../../../server/api/services/encoded-text.ts';

const source = 'From: a@x.com\nSubject: x\nMIME-Version: 1.0\n\nhello';

describe('read by the documents service', () => {
  it.each([
    ['a.eml', 'hello'],
    ['page.HTML', '<p>hello</p>'],
    ['mail.txt', source],
    ['mail', `From a@x.com Mon Jan 1 2024\n${source}`],
    ['mail.txt', 'Subject: =?utf-8?B?QWxp?=\n\nhello'],
    ['a.txt', '{\\rtf1 hello}'],
    ['a.txt', 'BEGIN:VCARD\nFN:Ali\nEND:VCARD'],
    ['a.txt', '<!-- saved --><!doctype html><p>hello'],
    ['a.pdf', '\n%PDF-1.4'],
  ])('%s with “%s”', (name, text) => expect(isReadAsDocument(name, text)).toBe(true));

  it.each([
    ['a.txt', 'hello'],
    ['a.txt', 'From: Ali\nTo: Siti\n\nhello'],
    ['a.md', 'A mail has a line\nMIME-Version: 1.0'],
    ['a.csv', 'name,mail\nAli,a@x.com'],
  ])('not %s with “%s”', (name, text) => expect(isReadAsDocument(name, text)).toBe(false));
});

describe('escapes', () => {
  it.each([
    ['{"name":"\\u5f20\\u4f1f \\ud842\\udfb7"}', '{"name":"张伟 𠮷"}'],
    ['{"a":"Ali\\n880101-14-5566"}', '{"a":"Ali\\n 880101-14-5566"}'],
    ['{"a":"ali\\u0040x.com"}\n{"a":"12\\/3"}\n', '{"a":"ali@x.com"}\n{"a":"12/3"}\n'],
    ['name=\\u5f20\\u4f1f', 'name=张伟'],
    ['<a>880101&#45;14&#x2d;5566 &#60;</a>', '<a>880101-14-5566 &#60;</a>'],
  ])('%s', (text, plain) => expect(withoutEscapes(text)).toBe(plain));

  it.each(['{"a":"\\u0022 \\u005c \\ud842 \\\\u5f20 \\" \\u000a"}', 'C:\\users\\new', 'a &#45; b', '&#45;'])(
    '%s stays',
    (text) => expect(withoutEscapes(text)).toBe(text),
  );
});

const base64 = Buffer.from('Ahmad Faizal bin Abdullah, MyKad 880101-14-5566. '.repeat(6)).toString('base64');
const lines = base64.replace(/.{76}/g, '$&\r\n');

describe('encoded content', () => {
  it.each([
    ['Content-Transfer-Encoding: base64\n\nQWxp'],
    ['Content-Transfer-Encoding: Quoted-Printable\n\n=41'],
    ['Subject: =?utf-8?Q?Ali?='],
    ['![x](data:image/png;base64,iVBORw0KGgo)'],
    [`hello\r\n${lines}\r\n`],
    [`{"file":"${base64}"}`],
    ['begin 644 a.txt\n#0V%T\nend'],
    ['dn: cn=x\ncn:: QWhtYWQ='],
    ['FN;ENCODING=QUOTED-PRINTABLE:Ali'],
    ['%!PS-Adobe-3.0'],
    ['{"a":"{\\"b\\":\\"\\\\u5f20\\"}"}'],
    ['From a@x Mon Jan 1 2024\nFrom: a\n\nhi\nFrom b@x Mon Jan 1 2024\nFrom: b\n\nhi'],
  ])('%s', (text) => expect(encodedContent(text)).not.toBeNull());

  it.each([
    ['Ali, 880101-14-5566'],
    [`${'a'.repeat(300)}\n${'-'.repeat(300)}`],
    [Array(5).fill('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08').join('\n')],
    ['map :: Int -> Int'],
    ['C:\\users\\new'],
  ])('none in “%s”', (text) => expect(encodedContent(text)).toBeNull());
});

test('a warning that tells of a part that is not in the text', () => {
  expect(leftOutWarning(['It is long.', `${leftOut.attached} a.zip.`])).toContain('a.zip');
  expect(leftOutWarning(['It is long.'])).toBeUndefined();
});
