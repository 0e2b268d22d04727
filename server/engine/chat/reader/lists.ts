/** The items of an enumeration around a place: parts between commas and joining words of a sentence, lines of a list. */
import { lengthOf } from './split.ts';

export interface ItemPlace {
  start: number;
  end: number;
}

/** The amount of a thing, before its name (“225 g flour”) and behind it (“beras 500 g”). */
export interface AmountWords {
  before: RegExp;
  behind: RegExp;
}

/** Stands between items: a comma, “and”, a joining word in three languages. */
const separators =
  /\s*(?:[,，、;；&](?:\s*(?:and|or|dan|serta|atau)(?![\p{L}\d])|\s*(?:和|与|及|以及))?|(?<![\p{L}\d])(?:and|or|plus|dan|serta|atau)(?![\p{L}\d])|(?<=\p{Script=Han})(?:和|与|以及|及)(?=\p{Script=Han})|(?<=[》”])(?=[《“])|\s[+/]\s)\s*/giu;
const sentenceEnds = /[.。！？!?](?=\s|$|\p{Script=Han})|[\n:：]|[。！？]/gu;
const marks = /^\s*(?:[-*•·▪–—]|\[[ x]\]|\d{1,2}[.)、])\s*/iu;
/** Words of an item, and letters of one in Chinese. */
const longestItem = { words: 8, han: 14 };
const mostItems = 40;

/** An enumeration reaches at most so many characters from a place in it. */
const furthest = 1000;

/** The full stop of an initial or an abbreviation ends nothing. */
const isInitial = (text: string, at: number): boolean =>
  text[at] === '.' && /(?:^|[\s(])(?:\p{Lu}|\p{Lu}\p{Ll}{1,2})$/u.test(text.slice(Math.max(0, at - 5), at));

function borderBefore(text: string, at: number): number {
  const from = Math.max(0, at - furthest);
  let border = from;
  for (const { 0: sign, index } of text.slice(from, at).matchAll(sentenceEnds))
    if (!isInitial(text, from + index)) border = from + index + sign.length;
  return border;
}

function borderAfter(text: string, at: number): number {
  const to = Math.min(text.length, at + furthest);
  for (const { 0: sign, index } of text.slice(at, to).matchAll(sentenceEnds))
    if (!isInitial(text, at + index) && sign !== ':' && sign !== '：') return at + index;
  return to;
}

function partsOf(text: string, from: number, to: number): ItemPlace[] {
  const parts: ItemPlace[] = [];
  let start = from;
  let depth = 0;
  let seen = from;
  for (const { 0: sign, index } of text.slice(from, to).matchAll(separators)) {
    const at = from + index;
    for (const each of text.slice(seen, at))
      depth += '(（['.includes(each) ? 1 : ')）]'.includes(each) ? -1 : 0;
    seen = at;
    // Between the digits of a number, and in brackets, nothing is parted.
    if (depth > 0 || (/\d/u.test(text[at - 1] ?? '') && /^,\d{3}(?!\d)/u.test(text.slice(at, at + 6))))
      continue;
    parts.push({ start, end: at });
    start = at + sign.length;
  }
  parts.push({ start, end: to });
  return parts;
}

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
  const before = /^(?:[\s"'“”‘’「《]|\d[)）、.](?!\d))*/u.exec(part)![0].length;
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
  const isItem = ({ end, start }: ItemPlace) => end - start < furthest && marks.test(text.slice(start, end));
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

/**
 * @param seeds places that were found to belong to the answer; the first is the surest
 * @param amounts left out of items that have them; null: none is
 */
export function itemsAround(
  text: string,
  seeds: readonly ItemPlace[],
  amounts: AmountWords | null = null,
): ItemPlace[] {
  const items = itemsWhole(text, seeds, amounts);
  return amounts ? withoutAmounts(text, items, amounts) : items;
}

function itemsWhole(text: string, seeds: readonly ItemPlace[], amounts: AmountWords | null): ItemPlace[] {
  const [surest] = seeds;
  if (!surest) return [];
  const lines = linesAround(text, surest);
  if (lines) {
    const touched = lines.filter(({ end, start }) =>
      seeds.some((seed) => seed.start < end && start < seed.end),
    );
    // One item of a list and all of it are told apart by how much of the list was found.
    if (touched.length * 2 > lines.length)
      return lines.map((line) => trimmed(text, firstClause(text, line))).slice(0, mostItems);
  }
  const [from, to] = [borderBefore(text, surest.start), borderAfter(text, surest.end)];
  const parts = partsOf(text, from, to);
  const at = parts.findIndex(({ end, start }) => start <= surest.start && surest.start <= end);
  if (at < 0 || parts.length === 1) return seeds.map((seed) => trimmed(text, seed));
  const own = seeds.filter(({ end, start }) => from <= start && end <= to);
  const seedIn = (part: ItemPlace) => own.find(({ end, start }) => start < part.end && part.start < end);
  const isShort = ({ end, start }: ItemPlace) => {
    const words = text.slice(start, end);
    return lengthOf(words) <= longestItem[/\p{Script=Han}/u.test(words) ? 'han' : 'words'];
  };
  const cut = (part: ItemPlace): ItemPlace => {
    const seed = seedIn(part);
    if (!seed) return part;
    const from = trimmed(text, part).start;
    // Words behind the last item are no longer the list, unless a name goes on.
    const isCut = seed.start <= from && from < seed.end && seed.end < part.end;
    if (isCut && part === parts[high] && high > low && !/^\s\p{Lu}/u.test(text.slice(seed.end)))
      return { start: part.start, end: seed.end };
    if (isShort(part)) return part;
    return {
      start: Math.max(part.start, seed.start),
      end: Math.min(part.end, Math.max(seed.end, seed.start + 1)),
    };
  };
  // Two places and more mark where the enumeration begins and ends; around one alone its neighbours are items too.
  const marked = parts.flatMap((part, index) => (seedIn(part) ? [index] : []));
  let [low, high] = marked.length > 1 ? [marked[0]!, marked.at(-1)!] : [at, at];
  while (
    marked.length < 2 &&
    low > 0 &&
    (isShort(parts[low - 1]!) || seedIn(parts[low - 1]!)) &&
    (low === at || isShort(parts[low]!))
  )
    low -= 1;
  while (
    marked.length < 2 &&
    high + 1 < parts.length &&
    (isShort(parts[high + 1]!) || seedIn(parts[high + 1]!))
  )
    high += 1;
  // Behind a colon the enumeration is whole: “Fruits: apple, banana, cherry”.
  if (/[:：]\s*$/u.test(text.slice(Math.max(0, from - 2), parts[0]!.start)) && parts.every(isShort))
    [low, high] = [0, parts.length - 1];
  // Things with amounts go on as long as the amounts do.
  const isCounted = (part: ItemPlace | undefined): boolean => {
    if (!part || !amounts || !isShort(part)) return false;
    const words = text.slice(part.start, part.end).trim();
    return amounts.before.test(words) || amounts.behind.test(words);
  };
  if (marked.length > 1 && marked.every((index) => index === low || isCounted(parts[index]))) {
    while (isCounted(parts[low - 1])) low -= 1;
    while (isCounted(parts[high + 1])) high += 1;
  }
  const items = parts.slice(low, high + 1).map(cut);
  // The first item stands behind the words that lead to the list.
  const first = seedIn(items[0]!);
  if (first && low === 0)
    items[0] = {
      start: Math.max(items[0]!.start, Math.min(first.start, items[0]!.end - 1)),
      end: items[0]!.end,
    };
  return items
    .map((part) => trimmed(text, part))
    .filter(({ end, start }) => end > start)
    .slice(0, mostItems);
}

const labelled = /(?<=^|[.。;；\n]\s?)([\p{L}][\p{L} _-]{0,30})[:：][^\S\n]*(\S[^\n]*)/gu;
const ends = /(?<!(?:^|[\s(])\p{Lu}\p{Ll}{0,2})\.(?=\s|$)|[。！!？?]/u;
const counter = /^\s*(?:[一二三四五六七八九十]{1,2}、|[(（]?\d{1,2}[.)）、](?!\d))\s*/u;

/** The items behind a label whose words `isName` knows, “Failed: a, b and c”; nothing where it is no enumeration. */
export function itemsOfLabel(text: string, isName: (label: string) => boolean): string[] {
  for (const [, label, rest] of text.slice(0, longestLabelled).matchAll(labelled)) {
    if (!isName(label!)) continue;
    const list = rest!.slice(0, ends.exec(rest!)?.index);
    const numbered = list.split(/[；;]\s*/u);
    const parts =
      numbered.length > 1
        ? numbered
        : partsOf(list, 0, list.length).map(({ end, start }) => list.slice(start, end));
    const items = parts.map((part) => part.replace(counter, '').trim()).filter((part) => part !== '');
    if (
      items.length > 1 &&
      items.length <= mostItems &&
      items.every((item) => lengthOf(item) <= longestItem.han)
    )
      return items;
  }
  return [];
}

const longestLabelled = 20_000;

const firstClause = (text: string, { end, start }: ItemPlace): ItemPlace => {
  const stop = /\s*(?:[,;，；:：(（]|\s[–—-]\s)/u.exec(text.slice(start, end));
  return { start, end: stop && stop.index > 0 ? start + stop.index : end };
};
