import { describe, expect, it } from 'vitest';
import { isCidr } from '../../renderer/src/format/cidr.ts';
import { bytes, milliseconds } from '../../renderer/src/format/numbers.ts';
import { checkPages } from '../../renderer/src/format/pages.ts';
import { toSentence } from '../../renderer/src/format/sentence.ts';
import { ago, lastDays } from '../../renderer/src/format/time.ts';
import { t, tn } from '../../renderer/src/strings/t.ts';

describe('isCidr', () => {
  it.each(['10.0.0.0/8', '192.168.1.7', '::1', '2001:db8::/32', '::', 'fe80::1/128', '1:2:3:4:5:6:7:8'])(
    'takes %s',
    (text) => {
      expect(isCidr(text)).toBe(true);
    },
  );
  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '010.0.0.1',
    '::1/129',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    'host',
    '1/2/3',
  ])('refuses %j', (text) => {
    expect(isCidr(text)).toBe(false);
  });
});

describe('checkPages', () => {
  it.each([
    ['3', [3]],
    ['1-3', [1, 2, 3]],
    [' 1, 4 - 6 ', [1, 4, 5, 6]],
    ['2,1,2', [1, 2]],
  ])('%s', (text, pages) => {
    expect(checkPages(text)).toEqual({ ok: true, pages });
  });
  it.each([
    ['', 'malformed'],
    ['0', 'malformed'],
    ['1-', 'malformed'],
    ['a', 'malformed'],
    ['3-1', 'order'],
    ['1-21', 'too_many'],
    ['1-999999', 'too_many'],
    ['1-11,20-30', 'too_many'],
  ])('%j is %s', (text, reason) => {
    expect(checkPages(text)).toEqual({ ok: false, reason });
  });
  it('knows the end of the document', () => {
    expect(checkPages('1-3', 2)).toEqual({ ok: false, reason: 'beyond' });
  });
});

describe('numbers and times', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [54_400, '54.4 KB'],
    [148_000_000, '148 MB'],
    [2_500_000_000, '2.5 GB'],
  ])('%i bytes', (value, text) => {
    expect(bytes(value)).toBe(text);
  });
  it.each([
    [0.2, '<1 ms'],
    [12.4, '12 ms'],
    [1400, '1.4 s'],
    [61_000, '1m 1s'],
    [119_900, '2m 0s'],
  ])('%d ms', (value, text) => {
    expect(milliseconds(value)).toBe(text);
  });
  it('counts from now', () => {
    expect(ago(1000, 1000_000)).toBe('now');
    expect(ago(1000 - 300, 1000_000)).toBe('5 minutes ago');
    expect(ago(1000 + 2 * 86_400, 1000_000)).toBe('in 2 days');
  });
  it('lists days in UTC, oldest first', () => {
    expect(lastDays(3, Date.UTC(2026, 2, 1, 0, 30))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});

describe('t', () => {
  it('fills placeholders in, numbers with separators', () => {
    expect(t('documents.progress', { page: 2, pages: 1200 })).toBe('Page 2 of 1,200');
  });
  it('chooses the plural', () => {
    expect([tn('requests.pages', 1), tn('requests.pages', 2)]).toEqual(['1 page', '2 pages']);
  });
});

describe('toSentence', () => {
  it.each([
    ['the document is damaged', 'file', 'The document is damaged'],
    ['input is longer than 32,768 bytes', 'input', 'input is longer than 32,768 bytes'],
    ['file must be a file.', 'items[0].file', 'file must be a file.'],
    ['stream: lines of a batch are answered whole.', null, 'stream: lines of a batch are answered whole.'],
    ['No pack is bound.', null, 'No pack is bound.'],
  ])('%s', (message, param, sentence) => {
    expect(toSentence(message, param)).toBe(sentence);
  });
});
