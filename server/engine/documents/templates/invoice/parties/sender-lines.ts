/** Parts of one line that say who and where: names behind owners' labels, sender's lines above windows, legal notices. */

import { derivedPattern } from '../../../vocabulary/derived-pattern.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { withoutAsides } from './party-address.ts';
import { isAddressLike, isTitle } from './party-lines.ts';
import { endOfForm, withoutFormOfNotice } from './party-name.ts';

/** A part of a line, and what of the line speaks for it. */
export interface LinePart {
  text: string;
  /** It stood behind a label that names the firm, as `Licensee: X`. */
  owned: boolean;
  /** Whom the label before it names. */
  label: 'buyer' | 'seller' | null;
  /** Number of the part in its line; the whole has none. */
  at: number;
}

/** `Operated by: X` names X; of a Chinese label set wide the last character alone may stand before it. */
const behindLabel = /^(?:[\p{L} ]{2,24}|\p{Script=Han})[:：]\s*(?=[\p{L}\d])/u;
const separators = /\s+[-–·•|*]\s+|\s*[|·•]\s*/;
const maxParts = 8;
/** Legal notices of a firm, behind its name. */
const noticeTail = derivedPattern(
  ({ source }) => new RegExp(`(?<![\\s,;(-])[\\s,;(-]*(?:${source}|\\bwww\\.).*$`, 'iu'),
);
/** An address of mail or web at the end of a line. */
const webTail =
  /(?<![\s,;|·•-])[\s,;|·•-]*(?:https?:\/\/\S+|(?<!\S)\S+@\S+|(?<!\S)(?:[\p{Ll}\d-]+\.)+\p{Ll}{2,})\s*$/u;
const withoutNotice = (text: string): string =>
  withoutFormOfNotice(text.replace(noticeTail(documentWords().parties.notice_word), ''), text).replace(
    webTail,
    '',
  );
const bracketedNumber = /\s*[([][^)\]]*\d{4}[^)\]]*[)\]]\s*/;

/** Numbers of parts that are told by their words rather than by their place. */
const behindWords = 8;
/** The places in a line where a name before an address may end. */
const breaks = /[,;]\s+|(?<=\p{L}{3}|[.\d)]|[\p{Lu}\d]{2})\.\s+(?=\p{L})|\s+[-–·•|*]\s+|\s*[|·•]\s*/gu;
const maxBreaks = 4;

const partsOf = (text: string): string[] => text.split(separators).slice(0, maxParts);

/** `X GmbH - Street 1 - 12345 Town`: the sender, above the window of the addressee or in the foot. */
export function isSenderLine(text: string): boolean {
  const [name = '', ...rest] = partsOf(text);
  return rest.some(isAddressLike) && /\p{L}/u.test(name) && !/[:：]/.test(name);
}

/** `Bill to: X`, `M/s X`, `Name: X`: what stands behind a label on its line. */
function behindLabels(text: string): LinePart[] {
  const { buyer_label, seller_label } = documentWords().parties;
  const labels = [
    ['buyer', buyer_label],
    ['seller', seller_label],
    [null, behindLabel],
  ] as const;
  return labels.flatMap(([label, pattern]) => {
    const rest = text.slice(pattern.exec(text)?.[0].length ?? text.length).trim();
    return /\p{L}/u.test(rest) ? [{ text: rest, owned: false, label, at: 0 }] : [];
  });
}

/** The words before a name that are a label, though no colon says so: `Kunde Vogt KG`, `Ricevuto da Vogt`. */
function knownLabel(words: readonly string[], count: number): 'buyer' | 'seller' | null {
  if (words.length <= count || !/^\p{Lu}|^\p{Lo}/u.test(words[count]!)) return null;
  const { buyer_label, seller_label } = documentWords().parties;
  const head = `${words.slice(0, count).join(' ')}:`;
  // A colon before the last of the words ends the label there: the rest would be cut.
  if (/[:：]./u.test(head.slice(0, -1))) return null;
  return buyer_label.test(head) ? 'buyer' : seller_label.test(head) ? 'seller' : null;
}

function behindKnownWords(text: string): LinePart[] {
  const words = text.split(/\s+/);
  return [1, 2, 3].flatMap((count) => {
    const label = knownLabel(words, count);
    return label ? [{ text: words.slice(count).join(' '), owned: false, label, at: behindWords }] : [];
  });
}

/** True for a line that begins with a label of several words, which no name does. */
export function beginsWithLabel(text: string): boolean {
  const words = text.split(/\s+/);
  return [2, 3].some((count) => knownLabel(words, count) !== null);
}

/** True for a line that ends with a title or label of several words: `X LLC Bill to`, `Toko X FAKTUR PENJUALAN`. */
export function endsWithLabel(text: string): boolean {
  const { buyer_label } = documentWords().parties;
  const words = text.split(/\s+/);
  return [2, 3].some((count) => {
    const tail = words.slice(-count).join(' ');
    return words.length > count + 1 && (isTitle(tail) || buyer_label.test(`${tail}:`));
  });
}

/** `SARL au capital de 15 000 €`: a legal form with what the law asks for, not the end of a name. */
export function isFormNotice(text: string): boolean {
  const { company, notice_word } = documentWords().parties;
  return company.exec(text)?.index === 0 && notice_word.test(text);
}

/** `Please make payment to Kowal Garden Ltd`: the words from the first, and from the last, capital behind a small word. */
const sentenceHeads = [
  /^(?:[\p{L}'’./]+\s+){0,6}?\p{Ll}[\p{Ll}'’.]*[:.]?\s+(?=[\p{Lu}"“(])/u,
  /^(?:[\p{L}'’./]+\s+){0,6}\p{Ll}[\p{Ll}'’.]*[:.]?\s+(?=[\p{Lu}"“(])/u,
];
const behindSentence = (text: string): LinePart[] =>
  sentenceHeads.flatMap((pattern) => {
    const head = pattern.exec(text);
    return head ? [{ text: text.slice(head[0].length), owned: false, label: null, at: behindWords + 1 }] : [];
  });

/** `X Ltd TAX INVOICE`: a title that stands close behind a name, or before it, is not part of it. */
function besideTitle(text: string): LinePart[] {
  const words = text.split(/\s+/);
  return [1, 2, 3].flatMap((count) => {
    if (words.length <= count) return [];
    const [head, tail] = [words.slice(0, count).join(' '), words.slice(-count).join(' ')];
    const rests = [
      ...(isTitle(tail) ? [words.slice(0, -count)] : []),
      ...(isTitle(head) ? [words.slice(count)] : []),
    ];
    return rests.map((rest) => ({
      text: rest.join(' '),
      owned: false,
      label: null,
      at: behindWords + 2,
    }));
  });
}

/** `From: X Ltd, 10 Anson Road`: what stands behind a label ends before the address. */
const beforeAddresses = (parts: readonly LinePart[]): LinePart[] =>
  parts.flatMap((part) => {
    const end = part.text.indexOf(',');
    const isName = end > 0 && isAddressLike(part.text.slice(end)) && !isAddressLike(part.text.slice(0, end));
    return isName ? [{ ...part, text: part.text.slice(0, end), at: 1 }] : [];
  });

/** True for the text up to a place within a legal form, as `X Sdn` of `X Sdn. Bhd.`. */
function cutsForm(part: string, line: string): boolean {
  const end = line.indexOf(part) + part.length;
  const form = documentWords().parties.company.exec(line);
  return form !== null && end >= part.length && form.index < end && end < form.index + form[0].length;
}

/** A number of a register or of taxes before a name, with what names it. */
export const numberBefore =
  /^(?:\p{L}[\p{L}./ -]{0,20}[:：.]?\s*)?(?=(?:\D*\d){6})[\d./-]{7,}\s+(?=\p{L}{2})/u;

/** Names that a line may hold beside the whole of it. */
export function namesInLine(text: string): LinePart[] {
  const owner = documentWords().parties.owner_label.exec(text);
  const rest = owner ? text.slice(owner[0].length) : text;
  const ofRest = { owned: owner !== null, label: null };
  const found: LinePart[] = owner && /\p{L}/u.test(rest) ? [{ ...ofRest, text: rest, at: 0 }] : [];
  const labelled = behindLabels(text);
  const known = behindKnownWords(text);
  found.push(
    ...labelled,
    ...known,
    ...beforeAddresses([...labelled, ...known]),
    ...behindSentence(text),
    ...besideTitle(text),
  );
  const parts = partsOf(rest);
  if (parts.length > 1)
    for (const [at, part] of parts.entries())
      if (!isAddressLike(part)) found.push({ ...ofRest, text: withoutNotice(part), at: at + 1 });
  for (const { index } of [...rest.matchAll(breaks)].slice(0, maxBreaks))
    if (index > 0 && isAddressLike(rest.slice(index)) && !isAddressLike(rest.slice(0, index)))
      found.push({ ...ofRest, text: withoutNotice(rest.slice(0, index)), at: 1 });
  const beforeNotice = withoutNotice(rest);
  if (parts.length === 1 && beforeNotice !== rest && !isAddressLike(beforeNotice))
    found.push({ ...ofRest, text: beforeNotice.replace(/[.\s]+$/, ''), at: 1 });
  const form = endOfForm(rest);
  if (form !== null)
    found.push({ ...ofRest, text: withoutFormOfNotice(rest.slice(0, form), rest), at: behindWords + 4 });
  const farewell = documentWords().parties.farewell.exec(text);
  if (farewell) found.push({ ...ofRest, text: text.slice(0, farewell.index), at: behindWords + 3 });
  const comma = rest.indexOf(',');
  const isStreet = documentWords().parties.address_sign.exec(rest)?.index === 0;
  if (comma > 0 && !isStreet && isAddressLike(rest.slice(comma)))
    found.push({ ...ofRest, text: rest.slice(0, comma), at: 1 });
  const number = bracketedNumber.exec(rest);
  if (number && number.index > 0 && isAddressLike(rest.slice(number.index + number[0].length)))
    found.push({ ...ofRest, text: rest.slice(0, number.index), at: 1 });
  const told = new Set([text]);
  return found.filter((part) => !told.has(part.text) && !cutsForm(part.text, text) && told.add(part.text));
}

/** A label of any words before what has words as well. */
const anyLabel = /^\p{L}[\p{L} ./'’、-]{0,25}\s*[:：]\s*(?=.*\p{L}{2})/u;

/** A line of an address before another address that a label of its own tells: `… | Postal: PO Box 7`. */
function beforeOtherAddress(line: string): string {
  const { address_label } = documentWords().parties;
  const ends = [...line.matchAll(/\s*[|·•;]\s*/g)].filter(({ index, 0: sign }) =>
    address_label.test(line.slice(index + sign.length)),
  );
  const [first] = ends.filter(({ index }) => index > 0 && isAddressLike(line.slice(0, index)));
  return first ? line.slice(0, first.index) : line;
}

/** A line of an address without telephone, mail and numbers of registers behind it, in whichever order they stand. */
export function addressOnly(line: string): string {
  const rest = withoutNotice(withoutAsides(beforeOtherAddress(line)))
    .replace(anyLabel, '')
    .replace(/^[:：\s]+/, '')
    .trim();
  return rest.length < line.trim().length ? addressOnly(rest) : rest;
}

const maxTokens = 10;
const maxRun = 6;
/** Runs of what stands between commas, stops and dots that may be an address behind a name. */
function runsInLine(text: string): string[] {
  const ends = [...text.matchAll(breaks)].slice(0, maxTokens);
  if (ends.length < 2) return [];
  const from = ends.map(({ index, 0: sign }) => index + sign.length);
  const to = [...ends.slice(1).map(({ index }) => index), text.length];
  const tokens = from.map((start, at) => text.slice(start, to[at]));
  const { contact, notice_word } = documentWords().parties;
  const places = tokens.map(addressOnly);
  const isPlace = places.map(isAddressLike);
  const isOther = tokens.map((token) => contact.test(token) || notice_word.test(token));
  return tokens.flatMap((_, first) => {
    if (places[first] === '' || !(isPlace[first] || isPlace[first + 1])) return [];
    // A notice ends what stands before it in its own part.
    const other = isOther.findIndex((is, at) => is && at >= first);
    const end = other < 0 ? tokens.length : other + (places[other] === '' ? 0 : 1);
    const last = Math.min(first + maxRun, end);
    return Array.from({ length: Math.max(0, last - first) }, (_each, length) =>
      text.slice(from[first], to[first + length]),
    );
  });
}

/** Addresses that a line may hold behind a name, number or label. */
export function addressesInLine(text: string): string[] {
  const parts = partsOf(text);
  const found = parts.flatMap((_, from) =>
    parts.slice(from).map((_each, length) => parts.slice(from, from + length + 1).join(', ')),
  );
  const comma = text.indexOf(',');
  if (comma > 0) found.push(text.slice(comma + 1));
  const number = bracketedNumber.exec(text);
  if (number) found.push(text.slice(number.index + number[0].length));
  if (behindLabel.test(text)) found.push(text.replace(behindLabel, ''));
  found.push(...runsInLine(text));
  for (const { index, 0: sign } of text.matchAll(/[.;,]\s+/g)) {
    const rest = text.slice(index + sign.length);
    if (documentWords().parties.address_label.test(rest)) found.push(rest);
  }
  const whole = addressOnly(text);
  const lines = found.map(addressOnly).filter((line) => line !== whole && isAddressLike(line));
  return [...new Set(lines)];
}
