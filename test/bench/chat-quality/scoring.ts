/** When an answer counts as right. */
import { isDeepStrictEqual } from 'node:util';
import type { BfclItem, Call, Item } from './items.ts';

/** What a model said, as far as it is judged. */
export interface Said {
  text: string;
  calls: { name: string; arguments: string }[];
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[\s"'“”]+|[\s"'“”.。!]+$/gu, '');

/** Text: equal but for case, spaces and the full stop. JSON: equal values. Calls: the same, with equal arguments. */
export function isRight({ answer, schema }: Item, said: Said): boolean {
  if (typeof answer !== 'string') {
    return (
      said.calls.length === answer.length && answer.every((call, at) => isSameCall(call, said.calls[at]!))
    );
  }
  if (said.calls.length > 0) return false;
  return schema
    ? isDeepStrictEqual(parsed(said.text), JSON.parse(answer))
    : plain(said.text) === plain(answer);
}

const isSameCall = (wanted: Call, { arguments: text, name }: Said['calls'][number]): boolean =>
  wanted.name === name && isDeepStrictEqual(parsed(text), wanted.arguments);

/** Share of the schema's fields that hold the wanted value. */
export function fieldsRight(item: Item, said: Said): number {
  const wanted = JSON.parse(item.answer as string) as Record<string, unknown>;
  const got = parsed(said.text);
  const keys = Object.keys(wanted);
  if (typeof got !== 'object' || got === null) return 0;
  const right = keys.filter((key) => isDeepStrictEqual((got as Record<string, unknown>)[key], wanted[key]));
  return right.length / keys.length;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** BFCL's rule for one call: the right function, every argument among its accepted values, none that is not known. */
export function isAccepted({ accepted }: BfclItem, { calls }: Said): boolean {
  const [call] = calls;
  const [truth] = accepted;
  if (!call || !truth || calls.length !== 1) return false;
  const known = truth[call.name];
  const got = parsed(call.arguments);
  if (!known || typeof got !== 'object' || got === null) return false;
  const given = Object.entries(got);
  const fits = given.every(([name, value]) => known[name]?.some((each) => isAlike(value, each)) ?? false);
  const missing = Object.entries(known).filter(([name]) => !(name in got));
  return fits && missing.every(([, values]) => values.includes(''));
}

export const isRightFunction = ({ accepted }: BfclItem, { calls }: Said): boolean =>
  calls[0] !== undefined && calls[0].name in (accepted[0] ?? {});

/** Accepted objects hold a list of accepted values for each key. */
function isAlike(got: unknown, wanted: unknown): boolean {
  if (typeof got === 'string' && typeof wanted === 'string') return loose(got) === loose(wanted);
  if (Array.isArray(got) && Array.isArray(wanted))
    return got.length === wanted.length && got.every((each, at) => isAlike(each, wanted[at]));
  if (typeof got === 'object' && got !== null && typeof wanted === 'object' && wanted !== null) {
    const options = wanted as Record<string, unknown>;
    return Object.entries(got).every(([key, value]) => {
      const values = options[key];
      return Array.isArray(values) ? values.some((each) => isAlike(value, each)) : isAlike(value, values);
    });
  }
  return got === wanted;
}

/** As BFCL compares strings: without case, spaces and these marks. */
const loose = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[ ,./\-_*^]/g, '')
    .replaceAll("'", '"');
