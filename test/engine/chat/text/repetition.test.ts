import { expect, test } from 'vitest';
import { Repetition } from '../../../../server/engine/chat/text/repetition.ts';

/** Length of the words after which it is noticed, each sign a token; -1: never. */
function noticedAt(text: string): number {
  const repetition = new Repetition((token) => Buffer.from(String.fromCodePoint(token)));
  return [...text].findIndex((sign) => repetition.push(sign.codePointAt(0)!));
}

test('ends with the third time of the same words', () => {
  expect(noticedAt('it is new new new new new')).toBe('it is new new new'.length - 1);
  expect(noticedAt('田中, 田中, 田中, 田中')).toBe('田中, 田中, 田中, '.length - 1);
});

test('notices the same words in other tokens', () => {
  const words = [' Tan', 'Tan', 'T', 'an', 'Tan'];
  const repetition = new Repetition((token) => Buffer.from(words[token]!));
  expect(words.map((_, token) => repetition.push(token))).toEqual([false, false, false, true, true]);
});

test('leaves numbers, rulings and what is said twice alone', () => {
  expect(noticedAt('It costs 1,000,000 or 1000000.')).toBe(-1);
  expect(noticedAt('a | b\n------')).toBe(-1);
  expect(noticedAt('very, very good')).toBe(-1);
  const [color] = ['#ffffff'].map((text) => new Repetition(() => Buffer.from(text)).push(0));
  expect(color).toBe(false);
  expect(noticedAt('0'.repeat(40))).toBeGreaterThan(0);
});
