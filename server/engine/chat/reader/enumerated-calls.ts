/** One call for each of the things that a request counts up where an argument holds one: “the weather in Kuching and in Ipoh”. */
import { asksNumber, isPlain } from './schemas.ts';
import { wordsOfKey } from './wording.ts';

type Arguments = Record<string, unknown>;

interface CalledFunction {
  parameters?: unknown;
}

/** Words of requests that ask for several calls (reader.json of a pack). */
export interface SeveralWords {
  /** Each of one enumeration belongs to its like of another: “respectively”. */
  paired: RegExp;
  /** Arguments that hold several persons or things as one: guests, ingredients. */
  together: RegExp;
  /** Tells the turns of a request apart: “the first”, “kedua”, “第三”; the first group that matched names the turn. */
  turn: RegExp;
  /** Names the second turn; where it is named first, the words before it are a turn too. */
  next: RegExp;
  /** Between the parts of a request. */
  clauses: RegExp;
  enumerations: EnumerationPatterns;
}

/** Words that things are counted up with. */
interface EnumerationWords {
  /** Behind a number, no unit of it. */
  noUnit: string;
  joint: string;
  /** Before an item, the same as before the first one: “in”, “for the”. */
  lead: string;
}

interface EnumerationPatterns {
  items: RegExp[];
  /** Words in small letters are told as items by “respectively” alone. */
  plainWords: RegExp;
  leadBefore: RegExp;
  joint: RegExp;
}

const name = String.raw`\p{Lu}[\p{L}\p{N}'’.-]*(?:[ ](?:of[ ])?\p{Lu}[\p{L}\p{N}'’.-]*){0,3}`;
const quoted = String.raw`["“'‘][^"“”'‘’\n]{1,60}["”'’]`;

/** @throws SyntaxError where a word is no pattern */
export function enumerationPatterns({ joint, lead, noUnit }: EnumerationWords): EnumerationPatterns {
  const count = String.raw`-?[$€£]?\d+(?:,\d{3})*(?:\.\d+)?%?(?:[ ](?!(?:${noUnit})\b)\p{Ll}{1,10})?`;
  const of = (item: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}])(${lead})(?:${item})(?:${joint}${lead}(?:${item}))+`, 'gu');
  return {
    items: [name, quoted, count].map(of),
    plainWords: of(String.raw`\p{Ll}{2,20}`),
    leadBefore: new RegExp(`^${lead}(?=${name}$|${quoted}$|${count}$|\\p{Ll}+$)`, 'u'),
    joint: new RegExp(joint, 'u'),
  };
}

const mostCalls = 12;
const longestRequest = 2_000;

interface Enumeration {
  items: string[];
  /** Each item stands behind the same word as the first one. */
  isLed: boolean;
}

/** @returns `filled` alone where nothing is counted up, or where it is one thing */
export function enumerated(
  tool: CalledFunction,
  filled: Arguments,
  text: string,
  { enumerations, paired, together }: SeveralWords,
): Arguments[] {
  const { properties } = (tool.parameters ?? {}) as { properties?: Record<string, unknown> };
  const said = text.slice(0, longestRequest);
  const isPaired = paired.test(said);
  const each = optionsTold(properties, filled, said, enumerations);
  if (each) return each;
  const known = [...enumerations.items, ...(isPaired ? [enumerations.plainWords] : [])].flatMap((pattern) =>
    [...said.matchAll(pattern)].map(([words, first]) => enumerationIn(words, first!, enumerations)),
  );
  const found = new Map<string, Enumeration>();
  for (const [key, value] of Object.entries(filled)) {
    const schema = properties?.[key];
    if (!isPlain(schema) || schema.enum !== undefined || together.test(wordsOfKey(key))) continue;
    const isText = typeof value === 'string';
    if (!isText && !asksNumber(schema)) continue;
    const own = known.find(({ items }) =>
      isText
        ? items.includes(value)
        : items.some((each) => numberIn(each) === value) &&
          items.every((each) => !Number.isNaN(numberIn(each))),
    );
    if (own && own.items.length <= mostCalls) found.set(key, own);
  }
  const isOthers = (key: string, { items }: Enumeration) =>
    Object.entries(filled).some(([other, value]) => other !== key && items.includes(String(value)));
  const open = [...found].filter(([key, each]) => !isOthers(key, each));
  const [first] = open;
  if (!first) return [filled];
  const one = isPaired ? open.filter(([, { items }]) => items.length === first[1].items.length) : [first];
  if (!isPaired && !first[1].isLed && Object.keys(filled).length > 1 && typeof filled[first[0]] !== 'string')
    return [filled];
  return first[1].items.map((_, at) => {
    const own = one.map(([key, { items }]) => [
      key,
      typeof filled[key] === 'string' ? items[at]! : numberIn(items[at]!),
    ]);
    return { ...filled, ...Object.fromEntries(own) };
  });
}

/** “年假和病假”: a call for each of the values that a text counts up of an argument's own. */
function optionsTold(
  properties: Record<string, unknown> | undefined,
  filled: Arguments,
  said: string,
  { joint }: EnumerationPatterns,
): Arguments[] | null {
  for (const [key, value] of Object.entries(filled)) {
    const schema = properties?.[key];
    if (!isPlain(schema) || !Array.isArray(schema.enum) || typeof value !== 'string') continue;
    const places = schema.enum
      .map((option) => ({ option, words: wordsOfKey(String(option)) }))
      .filter(({ words }) => words.length > 1)
      .map(({ option, words }) => ({
        option,
        start: said.toLowerCase().indexOf(words),
        length: words.length,
      }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start);
    const areJoined = places.every(({ start }, at) => {
      const before = places[at - 1];
      const between = before && said.slice(before.start + before.length, start);
      return between === undefined || joint.exec(between)?.[0] === between;
    });
    if (places.length > 1 && areJoined && places.some(({ option }) => option === value))
      return places.map(({ option }) => ({ ...filled, [key]: option }));
  }
  return null;
}

const numberIn = (words: string): number =>
  Number(/-?\d[\d,]*(?:\.\d+)?/u.exec(words)?.[0].replaceAll(',', ''));

function enumerationIn(
  words: string,
  first: string,
  { joint, leadBefore }: EnumerationPatterns,
): Enumeration {
  const parts = words.split(joint);
  const word = first.trim();
  return {
    items: parts.map((part) =>
      part
        .replace(leadBefore, '')
        .replaceAll(/^["“'‘]|["”'’]$/gu, '')
        .replace(/(?<=\p{Ll})\.$/u, '')
        .trim(),
    ),
    isLed: word !== '' && parts.every((part) => part.startsWith(`${word} `)),
  };
}

/** The parts of a request that tell one thing after another, “The first … The second …”, and the words around them. */
export function turnsOf(
  said: string,
  { clauses, next, turn }: SeveralWords,
): { turns: string[]; shared: string } | null {
  const shared: string[] = [];
  const turns: string[] = [];
  let open: string | null = null;
  for (const clause of said.slice(0, longestRequest).split(clauses)) {
    const named = turn.exec(clause)?.slice(1).find(Boolean)?.toLowerCase();
    if (named !== undefined && named !== open) {
      if (turns.length === 0 && shared.length > 0 && next.test(named)) turns.push(shared.splice(0).join(' '));
      turns.push(clause);
      open = named;
    } else if (open === null || /[?？]["”]?\s*$/u.test(clause)) shared.push(clause);
    else turns[turns.length - 1] += ` ${clause}`;
  }
  return turns.length > 1 && turns.length <= mostCalls ? { turns, shared: shared.join(' ') } : null;
}
