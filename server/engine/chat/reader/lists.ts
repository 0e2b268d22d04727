/** The items of an enumeration around a place: parts between commas and joining words of a sentence, lines of a list. */
import { type Enumeration, enumerationsOf, type ItemPlace, itemsMeant, partsOf } from './enumerations.ts';
import type { Reading } from './reader.ts';
import { lengthOf } from './split.ts';

/** The amount of a thing, before its name (“225 g flour”) and behind it (“beras 500 g”). */
export interface AmountWords {
  before: RegExp;
  behind: RegExp;
}

const marks = /^\s*(?:[-*•·▪–—]|\[[ x]\]|\d{1,2}[.)、])\s*/iu;
/** Words of an item behind a label. */
const longestItem = 14;
const mostItems = 40;

/** Characters of the longest line of a list. */
const longestLine = 1000;

/** A name's role in brackets, “Ann Lee (chair)”; a number of things behind them, “灯泡×10只”. */
const role =
  /(?<=^\s*\p{Lu}[^()（）]*)\s*[(（][\p{L}\s.]{1,24}[)）]\s*$|(?<=^\s*\p{Script=Han}{2,4})[(（]\p{Script=Han}{1,6}[)）]\s*$/u;
const quantity =
  /(?<=\p{Script=Han}\S*)\s*[×x*]?\s*[\d一二两三四五六七八九十半]+\s?\p{Script=Han}(?:\s*[\d.]+)?\s*$|\s*\[[ x✓]?\]\s*$/u;

/** Without the label before it, the price in brackets behind it, quotes and blanks. */
const trimmed = (text: string, { end: last, start: from }: ItemPlace): ItemPlace => {
  const label = /^[^:：]{1,30}[:：](?![\d/])/u.exec(text.slice(from, last))?.[0] ?? '';
  const start = label.length < last - from ? from + label.length : from;
  const price = /\s*[(（][^()（）]*\d[^()（）]*[)）]\s*$/u.exec(text.slice(start, last));
  const end =
    price && price.index > 0 && /[£$€¥元]|\b(?:RM|CHF|USD|EUR|GBP|SGD)(?![a-z])|\d[.,]\d\d\b/u.test(price[0])
      ? start + price.index
      : last;
  const part = text.slice(start, end).replace(role, '').replace(quantity, '');
  const before = /^(?:[\s"'“”‘’「《]|\d[)）、.](?!\d)|(?:the|an?|some|sedikit) (?=\p{L}))*/iu.exec(part)![0]
    .length;
  const after = /[\s"'“”‘’」》.。]*$/u.exec(part)![0].length;
  return { start: start + before, end: Math.max(start + before, start + part.length - after) };
};

/** Lines of a list around one that holds a place; null where it stands in none. */
function linesAround(text: string, place: ItemPlace): ItemPlace[] | null {
  const lines: ItemPlace[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    lines.push({ start: from, end: from + line.length });
    from += line.length + 1;
  }
  const isItem = ({ end, start }: ItemPlace) =>
    end - start < longestLine && marks.test(text.slice(start, end));
  const at = lines.findIndex(({ end, start }) => start <= place.start && place.start <= end);
  if (at < 0 || !isItem(lines[at]!)) return null;
  let [low, high] = [at, at];
  while (low > 0 && isItem(lines[low - 1]!)) low -= 1;
  while (high + 1 < lines.length && isItem(lines[high + 1]!)) high += 1;
  if (high === low) return null;
  return lines.slice(low, high + 1).map(({ end, start }) => ({
    start: start + marks.exec(text.slice(start, end))![0].length,
    end,
  }));
}

/** Half of the items and more with an amount each, of different things: it is no part of their names. */
function withoutAmounts(
  text: string,
  items: readonly ItemPlace[],
  { before, behind }: AmountWords,
): ItemPlace[] {
  const bare = items.map(({ end, start }): ItemPlace => {
    const item = text.slice(start, end);
    const lead = before.exec(item)?.[0].length ?? 0;
    const rest = item.slice(lead);
    return { start: start + lead, end: end - (behind.exec(rest)?.[0].length ?? 0) };
  });
  const changed = bare.filter(({ end, start }, at) => end - start < items[at]!.end - items[at]!.start);
  const names = new Set(bare.map(({ end, start }) => text.slice(start, end).toLowerCase()));
  const areTold = changed.length > 1 && changed.length * 2 >= items.length;
  return areTold && names.size === items.length ? bare : [...items];
}

/** The amount of an item, which is no part of it; before what is no item, “no fever”. */
interface ItemWords {
  amounts: AmountWords;
  denied: RegExp;
}

/** A field that wants a list of texts. */
export interface ListField {
  reading: Pick<Reading, 'place' | 'places' | 'within'>;
  /** Share of its name that words say, and (`others`) the most that they say of another field's. */
  likeness: (words: string) => number;
  others: (words: string) => number;
}

interface Candidate {
  items: ItemPlace[];
  score: number;
}

/** Log odds that a thing is an item of one field alone; that lists are told in the order of the fields. */
const takenLoss = 4;
const inTurn = 1;
/** Enumerations that a field may mean. */
const mostCandidates = 4;

/** The items of each field: behind a label, the lines of a list that hold what its reading found, else what a sentence counts up. */
export function itemsOfFields(text: string, fields: readonly ListField[], words: ItemWords): ItemPlace[][] {
  const enumerations = enumerationsOf(text);
  const candidates = fields.map((field) => candidatesFor(text, field, enumerations, words));
  const chosen = candidates.map(([best]) => best);
  const sum = () => {
    let total = 0;
    chosen.forEach((one, at) => {
      total += one?.score ?? 0;
      for (const other of chosen.slice(0, at)) {
        if (!one || !other) continue;
        if (one.items.some((item) => other.items.some((its) => item.start < its.end && its.start < item.end)))
          total -= takenLoss;
        else if (other.items[0]!.start < one.items[0]!.start) total += inTurn;
      }
    });
    return total;
  };
  for (let round = 0; round < 2; round += 1)
    for (const [first, its] of candidates.entries())
      for (const [second, others] of candidates.entries()) {
        if (second <= first) continue;
        let [best, kept] = [sum() + 1e-6, [chosen[first], chosen[second]]];
        for (const one of its)
          for (const two of others) {
            [chosen[first], chosen[second]] = [one, two];
            const total = sum();
            if (total > best) [best, kept] = [total, [one, two]];
          }
        [chosen[first], chosen[second]] = [kept[0], kept[1]];
      }
  return chosen.map((each) => each?.items ?? []);
}

function candidatesFor(
  text: string,
  { likeness, others, reading }: ListField,
  enumerations: readonly Enumeration[],
  { amounts, denied }: ItemWords,
): Candidate[] {
  const cleaned = (items: readonly ItemPlace[]) =>
    withoutAmounts(
      text,
      items.map((item) => trimmed(text, item)),
      amounts,
    )
      .filter(({ end, start }) => end > start)
      .slice(0, mostItems);
  const behind = itemsOfLabel(text, (label) => likeness(label) - others(label), denied);
  if (behind.length > 0) return [{ items: behind, score: 0 }];
  const { place, places } = reading;
  const seeds = places.length > 0 ? places : place ? [place] : [];
  const [surest] = seeds.toSorted((a, b) => b.score - a.score);
  if (!surest) return [];
  const lines = linesAround(text, surest);
  const touched = lines?.filter(({ end, start }) =>
    seeds.some((seed) => seed.start < end && start < seed.end),
  );
  // One item of a list and all of it are told apart by how much of the list was found.
  if (lines && touched!.length * 2 > lines.length)
    return [{ items: cleaned(lines.map((line) => trimmed(text, firstClause(text, line)))), score: 0 }];
  const { within } = reading;
  const meaning = { within, places, denied, isName: (label: string) => likeness(label) > 0 };
  return enumerations
    .map((each) => itemsMeant(text, each, meaning))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostCandidates)
    .map(({ items, score }) => ({ items: cleaned(items), score }))
    .filter(({ items }) => items.length > 0);
}

const labelled = /(?<=^|[.。;；\n]\s?)([\p{L}][\p{L} _-]{0,30})[:：][^\S\n]*(?=(\S[^\n]*))/gu;
const ends = /(?<!(?:^|[\s(])\p{Lu}\p{Ll}{0,2})\.(?=\s|$)|[。！!？?]/u;
const counter = /^\s*(?:(?:[一二三四五六七八九十]{1,2}、|[(（]?\d{1,2}[.)）、](?!\d))\s*)?/u;

/**
 * The items behind the label that is likest to the field's name, “Failed: a, b and c”; nothing where none is, or what it has is no enumeration.
 * @param likeness of a label, above 0
 */
export function itemsOfLabel(text: string, likeness: (label: string) => number, denied: RegExp): ItemPlace[] {
  const labels = [...text.slice(0, longestLabelled).matchAll(labelled)].map(
    ([all, label, rest], at, found) => {
      const start = found[at]!.index + all.length;
      return { like: likeness(label!), start, end: start + (ends.exec(rest!)?.index ?? rest!.length) };
    },
  );
  for (const { end, start } of labels.filter(({ like }) => like > 0).sort((a, b) => b.like - a.like)) {
    const isNumbered = counters.test(text.slice(start, end));
    const parts = isNumbered ? clausesOf(text, start, end) : partsOf(text, start, end);
    const items = parts
      .map((part) => bareItem(text, part))
      .filter((item) => item.end > item.start && !denied.test(text.slice(item.start, item.end)));
    const longest = items.length > 1 ? longestItem : longestAlone;
    if (
      items.length > 0 &&
      items.length <= mostItems &&
      items.every((item) => lengthOf(text.slice(item.start, item.end)) <= longest)
    )
      return items;
  }
  return [];
}

const counters = /^\s*(?:[一二三四五六七八九十]{1,2}、|[(（]?\d{1,2}[.)）、](?!\d))/u;

function clausesOf(text: string, start: number, end: number): ItemPlace[] {
  let from = start;
  return text
    .slice(start, end)
    .split(/(?<=[；;])/u)
    .map((clause) => {
      const part = { start: from, end: from + clause.replace(/[；;]$/u, '').length };
      from += clause.length;
      return part;
    });
}

/** Without the counter before it and blanks. */
function bareItem(text: string, { end, start }: ItemPlace): ItemPlace {
  const said = text.slice(start, end);
  const from = start + counter.exec(said)![0].length;
  return { start: from, end: Math.max(from, start + said.trimEnd().length) };
}

const longestAlone = 4;
const longestLabelled = 20_000;

const firstClause = (text: string, { end, start }: ItemPlace): ItemPlace => {
  const stop = /\s*(?:[,;，；:：(（]|\s[–—-]\s)/u.exec(text.slice(start, end));
  return { start, end: stop && stop.index > 0 ? start + stop.index : end };
};
