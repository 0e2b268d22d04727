/** JSON from bytes, within bounds that are counted before a parser or a schema meets it. */
import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../../errors.ts';

/** Deeper than any schema needs; recursion over a body stays shallow. */
const maxNesting = 128;
/** Of all objects together: more than a long conversation has, and read in a few hundredths of a second. */
const maxProperties = 50_000;
/** Of one object: a table of more than this is slow to make, and nothing that is asked of us needs one. */
const maxPropertiesOfOne = 4_096;
/** Elements of arrays and properties of objects, all together. */
const maxValues = 250_000;
/** Smaller bodies are counted once parsed; a parser takes seconds over millions of brackets. */
const countedBytes = 64 * 1024;

/** @throws ApiError invalid_json */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidJson('is not UTF-8');
  if (bytes.length > countedBytes) checkBounds(bytes);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson('is not valid JSON');
  }
  // In a long text the name is looked for first, which may be written with escapes; a short one is walked through in any case.
  if (bytes.length <= countedBytes || text.includes('__proto__') || text.includes('\\u'))
    checkShape(value, maxNesting);
  return value;
}

export const invalidJson = (what: string) => new ApiError('invalid_json', `The body ${what}.`);

const tooDeep = () => invalidJson('is nested too deeply');

/** Counts brackets, colons and commas outside of strings. */
function checkBounds(bytes: Buffer): void {
  /** Of the objects that are open, by depth. */
  const own = new Uint32Array(maxNesting + 1);
  let depth = 0;
  let properties = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22:
        at = endOfString(bytes, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > maxNesting) throw tooDeep();
        own[depth] = 0;
        break;
      case 0x5d:
      case 0x7d:
        if (depth > 0) depth -= 1;
        break;
      case 0x3a:
        properties += 1;
        own[depth]! += 1;
        if (properties > maxProperties) throw invalidJson(`holds more than ${maxProperties} properties`);
        if (own[depth]! > maxPropertiesOfOne)
          throw invalidJson(`holds an object of more than ${maxPropertiesOfOne} properties`);
        break;
      case 0x2c:
        values += 1;
        if (values > maxValues) throw invalidJson(`holds more than ${maxValues} values`);
        break;
    }
  }
}

/** Offset at which the string that opens at `at` closes; long ones are searched natively. */
function endOfString(bytes: Buffer, at: number): number {
  for (let quote = bytes.indexOf(0x22, at + 1); quote >= 0; quote = bytes.indexOf(0x22, quote + 1)) {
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return bytes.length;
}

/**
 * A key named "constructor" is harmless data; "__proto__" never is.
 * @throws ApiError invalid_json
 */
function checkShape(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw tooDeep();
  if (Array.isArray(value)) {
    for (const item of value) checkShape(item, levels - 1);
    return;
  }
  if (Object.hasOwn(value, '__proto__')) throw invalidJson('holds a property called __proto__');
  for (const name in value) checkShape((value as Record<string, unknown>)[name], levels - 1);
}
