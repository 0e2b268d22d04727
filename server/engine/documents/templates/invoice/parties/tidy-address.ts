/** A chosen address without what stands beside it on its lines, and with its postcode where a gap or a line's end parted that from it. */

import { documentWords } from '../../../vocabulary/words.ts';
import { type PartyContext, plain, postcode } from './party-context.ts';
import { isAddressLike } from './party-lines.ts';
import { isOnlyForm } from './party-name.ts';
import { type LineRun, lineAbove, nextLine } from './place-features.ts';
import { addressOnly } from './sender-lines.ts';
import { isNear } from './whole-address.ts';

/** A postcode alone: of recognized print a letter O may be a nought. */
const bareCode =
  /^(?:\d{4,6}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z][\dO][A-Z] ?\d[A-Z]\d)[.,]?$/;
/** A Canadian postcode with a letter O for its nought. */
const misreadCode = /(?<=\s[A-Z])O(?=[A-Z] ?\d[A-Z]\d$)/;
/** Font sizes between a town and the postcode that a gap parts from it. */
const maxGap = 4;

/** An address whose line goes on with its postcode behind a gap: `CALGARY AB   T2C 2X2`. */
function withCodeBeside(run: LineRun, { reading }: PartyContext): LineRun {
  const last = run.pieces.at(-1);
  const right = last && reading.rows[last.row]!.pieces[last.order + 1];
  if (!right || postcode.test(last.text) || !bareCode.test(right.text.trim())) return run;
  if (right.box[0] - last.box[2] > maxGap * last.size || !run.value.endsWith(last.text.trim())) return run;
  return { ...run, pieces: [...run.pieces, right], value: `${run.value} ${right.text.trim()}` };
}

/** An address that ends with a state, and the number below it: `New Orleans, LA` over `70130`. */
function withCodeBelow(run: LineRun, { reading }: PartyContext): LineRun {
  const last = run.pieces.at(-1);
  const below = last && nextLine(last, reading);
  const isState = /,\s[A-Z]{2}$/.test(run.value) && !postcode.test(run.value.slice(-8));
  if (!below || !isState || !/^\d{5}(?:-\d{4})?$/.test(below.text.trim())) return run;
  return { ...run, pieces: [...run.pieces, below], value: `${run.value} ${below.text.trim()}` };
}

/** An address with the country below it, told by two letters: `Gurugram, HARYANA, 122413` over `IN`. */
function withCountryBelow(run: LineRun, { reading }: PartyContext): LineRun {
  const last = run.pieces.at(-1);
  const below = last && run.features.part === 0 ? nextLine(last, reading) : undefined;
  const isEnd = last !== undefined && postcode.test(last.text) && run.value.endsWith(last.text.trim());
  if (!below || !isEnd || !/^[A-Z]{2}$/.test(below.text.trim()) || !isNear(last, below)) return run;
  return { ...run, pieces: [...run.pieces, below], value: `${run.value} ${below.text.trim()}` };
}

/** A town and its postcode at the end of a line that has nothing else. */
const onlyTown = /^\p{Lu}[\p{L}' -]+,? (?:[A-Z]{2,3} \d{4,5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Za-z]{2})$/u;

/** An address that begins with its town, with the street above it. */
function withStreetAbove(run: LineRun, { reading, facts }: PartyContext): LineRun {
  const [first] = run.pieces;
  const above = first && run.features.part === 0 ? lineAbove(first, reading) : undefined;
  if (!first || !above || !onlyTown.test(run.value) || !isNear(above, first)) return run;
  const line = facts.get(above)!;
  const isOther = [line.title, line.label, line.contact, line.phone, line.priced, line.company, line.notice];
  if (isOther.includes(true) || !(line.address || /\d/.test(line.text))) return run;
  return { ...run, pieces: [above, ...run.pieces], value: `${above.text.trim()} ${run.value}` };
}

/** A line with a street, its number and a town: an address of its own. */
const ownAddress = /\d.{0,40}\p{L}{3}.{0,40}\p{L}{2}[\s,]{1,3}(?:\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/u;

/** A postcode with its town, before or behind it. */
const codedTown =
  /(?:^|[,·|–-]\s*)(?:\p{Lu}{1,2}[- ])?(?:\d{4,5}(?:-\d{3})?|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?\p{Lu}{2})\s\p{Lu}\p{L}|\p{L}{2}\.?[\s,–-]{1,3}(?:\d{4,6}|\d{5}-\d{4}|\p{Lu}{1,2}\d[\p{Lu}\d]?\s?\d\p{Lu}{2}|\p{Lu}\d\p{Lu}\s?\d\p{Lu}\d)\.?$/u;

/** An address up to its town, where another with a street and a town of its own follows. */
function beforeAnother(run: LineRun): LineRun {
  const at = run.pieces.findIndex(({ text }) => codedTown.test(text.trim()));
  const next = run.pieces[at + 1];
  if (at < 0 || !next || run.features.part !== 0 || !ownAddress.test(next.text.trim())) return run;
  const pieces = run.pieces.slice(0, at + 1);
  return { ...run, pieces, value: pieces.map(({ text }) => addressOnly(text.trim())).join(' ') };
}

/** Signs between the parts of a line. */
const separator = /\s[·•|]\s+/u;

/** An address without the trade or other words before its street: `Grafikdesign · Altstadtgasse 31/6 · 4020 Linz`. */
function withoutTrade(value: string): string {
  const [first = '', street, ...more] = value.split(separator);
  if (street === undefined) return value;
  const whole = value.slice(value.indexOf(street, first.length));
  if (isOnlyForm(first)) return whole;
  const { building } = documentWords().parties;
  if (more.length === 0 || /\d/.test(first) || isAddressLike(first) || building.test(first)) return value;
  return isAddressLike(street) && postcode.test(whole) ? whole : value;
}

/** A label behind a sign tells another place: `… 409051 | Airport branch: 115 Cargo Road`. */
const otherPlace = /\s[|·•;]\s+\p{L}[\p{L} ]{2,30}[:：].*$/u;

/** An address without the name that it goes with, where that begins its line. */
function withoutName(value: string, name: string): string {
  const [own, letters] = [plain(name), [...value]];
  if (own.length < 4 || !plain(value).startsWith(own)) return value;
  let [count, at] = [0, 0];
  while (count < own.length && at < letters.length) count += plain(letters[at++]!).length;
  const rest = letters
    .slice(at)
    .join('')
    .replace(/^[\s,·•|–-]+/u, '');
  return isAddressLike(rest) ? rest : value;
}

/** An address behind its label where other words stand before that: `… n° 169 – siège : ZA des Épinettes`. */
function behindLabel(value: string): string {
  const { address_label } = documentWords().parties;
  for (const { index, 0: sign } of value.matchAll(/\s[–|·•-]\s+/gu)) {
    const rest = value.slice(index + sign.length);
    const label = address_label.exec(rest)?.[0];
    if (label && isAddressLike(rest.slice(label.length))) return rest.slice(label.length);
  }
  return value;
}

/** The number of a shop over its street: `STORE #0417`. */
const shopNumber = /^\p{L}{4,12}\s?(?:#|n[o°º]\.?)\s?\d{2,6}\s+(?=\d)/iu;

export function tidyAddress(run: LineRun, name: string, context: PartyContext): LineRun {
  const own = withStreetAbove(beforeAnother(run), context);
  const whole = withCountryBelow(withCodeBelow(withCodeBeside(own, context), context), context);
  const tidy = withoutTrade(withoutName(behindLabel(whole.value), name))
    .replace(/^[*•·]\s+/u, '')
    .replace(shopNumber, '')
    .replace(misreadCode, '0')
    .replace(/^\([^()]*\)\s+(?=\d)/u, '');
  const place = tidy.replace(otherPlace, '');
  return { ...whole, value: isAddressLike(place) ? place : tidy };
}
