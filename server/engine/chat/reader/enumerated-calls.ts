/** One call for each of the things that a request counts up where an argument holds one: “the weather in Kuching and in Ipoh”. */
import { asksNumber, isPlain } from './schemas.ts';

type Arguments = Record<string, unknown>;

interface CalledFunction {
  parameters?: unknown;
}

const item = String.raw`(?:\p{Lu}[\p{L}\p{N}'’.-]*(?:[ ]\p{Lu}[\p{L}\p{N}'’.-]*){0,3}|-?\d[\d.]*)`;
const joint = String.raw`\s*(?:,|，|、|;|&|(?<![\p{L}])(?:and|as well as|plus|dan|serta)(?![\p{L}])|和|与|以及|,\s*(?:and|dan))\s*`;
/** Before an item, the same as before the first one: “in”, “for the”. */
const lead = String.raw`(?:\p{Ll}{2,6}\s+(?:the\s+)?)?`;
const enumerations = new RegExp(
  `(?<![\\p{L}\\p{N}])(${lead})(${item})(?:${joint}(?:${lead})(?:${item}))+`,
  'gu',
);
const mostCalls = 12;
const longestRequest = 2_000;

/** @returns `filled` alone where nothing is counted up, or where the function has more to be told of each */
export function enumerated(tool: CalledFunction, filled: Arguments, said: string): Arguments[] {
  const { properties } = (tool.parameters ?? {}) as { properties?: Record<string, unknown> };
  for (const [key, value] of Object.entries(filled)) {
    const schema = properties?.[key];
    if (!isPlain(schema) || schema.enum !== undefined) continue;
    const isText = [schema.type].flat().includes('string') && typeof value === 'string';
    if (!isText && !asksNumber(schema)) continue;
    const others = Object.entries(filled).filter(([other]) => other !== key);
    for (const [words, first] of said.slice(0, longestRequest).matchAll(enumerations)) {
      const items = itemsOf(words, first!);
      if (!items.includes(String(value)) || items.length > mostCalls) continue;
      // “from Kuching and to Ipoh”: the other one is another argument's.
      const isShared = others.some(([, its]) => items.some((each) => String(its).includes(each)));
      const isOne = others.length === 0 || items.isLed;
      if (isShared || !isOne) continue;
      return items.map((each) => ({ ...filled, [key]: isText ? each : Number(each) }));
    }
  }
  return [filled];
}

/** The items, and whether each of them stands behind the same word as the first one. */
function itemsOf(words: string, first: string): string[] & { isLed: boolean } {
  const parts = words.split(new RegExp(joint, 'u'));
  const word = first.trim();
  const isLed = word !== '' && parts.every((part) => part.startsWith(`${word} `));
  const items = parts.map((part) => part.replace(new RegExp(`^${lead}(?=${item}$)`, 'u'), '').trim());
  return Object.assign(items, { isLed });
}
