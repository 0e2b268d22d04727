/**
 * Resolves characters by their neighbours in the word. The recognizer sees a letter O and a zero alike, and takes
 * brackets and colons of Latin print for the wide ones of Chinese.
 */

import { digitsFor, lettersFor } from '../../identifiers/look-alikes.ts';
import type { ReadCharacter } from './ctc.ts';
import { hasWord, shippedLexicon } from './lexicon.ts';
import { isIdeograph } from './spacing.ts';

const toLetter = lettersFor('0158');
const toDigit = digitsFor('OoDIlSBZ');

const isDigit = (text: string): boolean => /^\d$/.test(text);
const isLetter = (text: string): boolean => /^\p{L}$/u.test(text) && !isIdeograph(text);

/** Wide forms (U+FF01 to U+FF5E) as plain ones. */
function narrowForm(text: string): string {
  const code = text.codePointAt(0)!;
  return text.length === 1 && code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : text;
}

/** A reading of the place that was next in line, where it is of the wanted kind. */
const otherOf = ({ others }: ReadCharacter, wanted: (text: string) => boolean): string | undefined =>
  others.find(({ text }) => wanted(text))?.text;

/** A letter this likely beside a digit at the edge of a word is taken for it. */
const minLetter = 0.1;

/** Digits inside a word are letters; in front of and behind one they count: `1PC`, `SET10`. */
function withLetters(run: ReadCharacter[]): string[] {
  const isSure = ({ text }: ReadCharacter): boolean => isLetter(text);
  const [first, last] = [run.findIndex(isSure), run.findLastIndex(isSure)];
  return run.map((character, at) => {
    if (!(character.text in toLetter)) return character.text;
    const other = character.others.find(({ text }) => isLetter(text));
    const inside = at > first && at < last;
    return inside || (other && other.confidence >= minLetter)
      ? (other?.text ?? toLetter[character.text]!)
      : character.text;
  });
}

/** Least probability of a zero behind a digit, and between letters and a digit, for a letter O to be one. */
const [minZeroBehind, minZeroBefore] = [0.02, 0.1];
const wordLength = 3;

/** `2X9OOML`, `JMO325955`: a letter O beside a digit is a zero, where it may be and the letters before are no word. */
function withZeros(run: ReadCharacter[]): string[] {
  const texts = run.map(({ text }) => text);
  for (const [at, { text, others }] of run.entries()) {
    const zero = others.find((other) => other.text === '0')?.confidence ?? 0;
    if (!/^[Oo]$/.test(text)) continue;
    const letters = /\p{L}*$/u.exec(texts.slice(0, at + 1).join(''))![0].toLowerCase();
    const before = letters.length >= wordLength && !hasWord(shippedLexicon(), letters);
    if (isDigit(texts[at - 1] ?? '') && zero >= minZeroBehind) texts[at] = '0';
    else if (before && isDigit(texts[at + 1] ?? '') && zero >= minZeroBefore) texts[at] = '0';
  }
  return texts;
}

/** `P0S01`: a listed word that digits follow, read with a digit inside; null for other runs. */
function withWord(texts: string[]): string[] | null {
  const letters = texts.map((text) => toLetter[text] ?? text);
  for (let end = texts.length; end >= wordLength; end--) {
    const [head, tail] = [texts.slice(0, end), texts.slice(end)];
    const isRead = isLetter(head[0]!) && isLetter(head.at(-1)!) && head.filter(isLetter).length > 1;
    if (!isRead || head.every(isLetter) || !tail.every(isDigit)) continue;
    if (hasWord(shippedLexicon(), letters.slice(0, end).join('').toLowerCase()))
      return [...letters.slice(0, end), ...tail];
  }
  return null;
}

/** `PORTOGRUAR0`: a lone zero that ends a long word. */
const endsInZero = /^\p{L}{5,}0$/u;
const withoutLoneZero = (texts: string[]): string[] =>
  endsInZero.test(texts.join('')) ? [...texts.slice(0, -1), toLetter['0']!] : texts;

/** One run of letters and digits. A character that could be either is what all others are. */
function settleRun(run: ReadCharacter[]): string[] {
  const texts = run.map(({ text }) => text);
  const sureLetters = texts.filter((text) => isLetter(text) && !(text in toDigit)).length;
  const sureDigits = texts.filter((text) => isDigit(text) && !(text in toLetter)).length;
  const digits = texts.filter(isDigit).length;
  if (run.length < 2) return texts;
  const spelt = withWord(texts);
  if (spelt) return spelt;
  if (sureLetters > 0 && sureDigits > 0) return withZeros(run);
  if (sureLetters > 1 && digits > 0 && digits < texts.length - digits) return withLetters(run);
  if (sureLetters === 0 && digits > texts.length - digits && digits < texts.length)
    return texts.map((text) => (isDigit(text) ? text : (toDigit[text] ?? text)));
  return texts;
}

/** An amount at the end of a word, after nothing or a currency: what looks like a zero in it is one. */
const amount = /(?<=^|RM|[^A-Za-z])[\dOoD]+[.,][\dOoDC]{2}$/;

const settleAmount = (text: string): string =>
  text
    .replace(/^[Oo]%$/, '0%')
    .replace(amount, (match) => (/\d/.test(match) ? match.replace(/[OoDC]/g, '0') : match));

/** `RMB.35`: behind the currency and around a point there are digits, whichever they are. */
const priced = /^(\W*RM)([\dA-Za-z]{1,6}[.,][\dA-Za-z]{2})\W?$/;

/** A price with its letters as the digits that were next in line, as they were where no digit was; null for other words. */
function settlePrice(characters: ReadCharacter[]): string | null {
  const match = priced.exec(characters.map(({ text }) => text).join(''));
  if (!match || !/\d/.test(match[2]!)) return null;
  const texts = characters.map((character, index) =>
    index < match[1]!.length || !isLetter(character.text)
      ? character.text
      : (otherOf(character, isDigit) ?? toDigit[character.text] ?? character.text),
  );
  return texts.join('');
}

/** Least probability of a letter O for a lone zero to be one behind letters and a dash: `HAI-O`. */
const minLetterBehindDash = 0.05;

function settleDashed(text: string, last: ReadCharacter | undefined): string {
  const letter = last?.others.find((other) => other.text === 'O')?.confidence ?? 0;
  return letter >= minLetterBehindDash ? text.replace(/^(\p{L}{2,}-)0$/u, '$1O') : text;
}

/** The text of a word. */
export function resolveConfusables(characters: ReadCharacter[]): string {
  const chinese = characters.some(({ text }) => isIdeograph(text) && text === narrowForm(text));
  const plain = chinese
    ? characters
    : characters.map((character) => ({ ...character, text: narrowForm(character.text) }));
  const price = settlePrice(plain);
  if (price !== null) return price;
  const texts: string[] = [];
  for (let start = 0; start < plain.length; ) {
    let end = start;
    while (end < plain.length && (isLetter(plain[end]!.text) || isDigit(plain[end]!.text))) end++;
    texts.push(...withoutLoneZero(settleRun(plain.slice(start, end))));
    if (end < plain.length) texts.push(plain[end]!.text);
    start = end + 1;
  }
  return settleDashed(settleAmount(texts.join('')), plain.at(-1));
}
