/** One `field|modifiers: values` of a selection, compiled. */
import ipaddr from 'ipaddr.js';
import { parseTime } from '../readers/time.ts';
import type { Wide } from './encode.ts';
import { base64Offsets, encodeText, toBase64, windashForms } from './encode.ts';
import { requiredLiterals } from './literals/required-literals.ts';
import type { MatchEvent, Node } from './node.ts';
import { allOf, anyOf, not } from './node.ts';
import type { Part, Test } from './pattern.ts';
import { longestPlain, mapPlain, parsePattern, patternTest, plainText, STAR } from './pattern.ts';
import { compileRegex } from './regex.ts';
import { SigmaError } from './sigma-error.ts';

export type SigmaScalar = string | number | boolean | null;

export interface CompileOptions {
  /** Values of `%name%` placeholders for the `expand` modifier. */
  placeholders: Readonly<Record<string, readonly string[]>>;
  /** True for rules whose expressions a test of ours compiles. */
  isTrusted?: boolean;
}

const MODIFIERS = new Set(
  'contains startswith endswith all any re i m s cidr windash base64 base64offset utf16 utf16le utf16be wide exists gt gte lt lte neq not fieldref expand cased minute hour day week month year'.split(
    ' ',
  ),
);
const WIDE: Readonly<Record<string, Wide>> = {
  utf16: 'utf16',
  utf16le: 'utf16le',
  wide: 'utf16le',
  utf16be: 'utf16be',
};
const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};
const TIME_PARTS: Readonly<Record<string, (date: Date) => number>> = {
  minute: (date) => date.getUTCMinutes(),
  hour: (date) => date.getUTCHours(),
  day: (date) => date.getUTCDate(),
  week: isoWeek,
  month: (date) => date.getUTCMonth() + 1,
  year: (date) => date.getUTCFullYear(),
};

function isoWeek(date: Date): number {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  return Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
}

/**
 * Compiles one `field|modifier: values` of a selection; `field` is '' for keywords: the whole event is searched.
 * @throws SigmaError for an unknown modifier, or values that it cannot take
 */
export function compileItem(key: string, raw: unknown, options: CompileOptions): Node {
  const [field = '', ...modifiers] = key.split('|').map((part) => part.trim());
  for (const modifier of modifiers)
    if (!MODIFIERS.has(modifier)) throw new SigmaError(`unknown modifier "${modifier}" on "${field}"`);
  const values = (Array.isArray(raw) ? raw : [raw]).map(toScalar);
  if (values.length === 0) throw new SigmaError(`"${key}" has no values`);
  const name = field.toLowerCase();
  const nodes = values.map((value) => compileValue(name, value, { modifiers, options }));
  const node = modifiers.includes('all') ? allOf(nodes) : anyOf(nodes);
  return modifiers.includes('neq') || modifiers.includes('not') ? not(node) : node;
}

function toScalar(value: unknown): SigmaScalar {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  throw new SigmaError('a value is neither text nor number');
}

interface Context {
  modifiers: readonly string[];
  options: CompileOptions;
}

function compileValue(field: string, value: SigmaScalar, context: Context): Node {
  const { modifiers } = context;
  if (modifiers.includes('exists'))
    return existsNode(field, value === true || value === 'true' || value === 'yes');
  if (value === null) return { matches: (event) => isEmpty(event, field), literals: null };
  if (modifiers.includes('re')) return regexNode(field, String(value), context);
  if (modifiers.includes('cidr')) return cidrNode(field, String(value));
  if (modifiers.includes('fieldref')) return fieldrefNode(field, String(value).toLowerCase(), modifiers);
  const compare = modifiers.find((modifier) => modifier in COMPARE);
  const part = modifiers.find((modifier) => modifier in TIME_PARTS);
  if (compare !== undefined || part !== undefined) return numberNode(field, Number(value), { compare, part });
  return textNode(field, texts(String(value), context), modifiers.includes('cased'));
}

function isEmpty(event: MatchEvent, field: string): boolean {
  const values = event.fields.get(field);
  return values === undefined || values.every((value) => value === '');
}

function existsNode(field: string, wanted: boolean): Node {
  return { matches: (event) => event.fields.has(field) === wanted, literals: null };
}

function regexNode(field: string, pattern: string, { modifiers, options }: Context): Node {
  const test = compileRegex(pattern, modifiers, options.isTrusted);
  return { matches: valueTest(field, test, true), literals: requiredLiterals(pattern) };
}

/** Runs a test over the field's values (as written or lower-cased), or over the whole event for keywords. */
function valueTest(field: string, test: Test, cased: boolean): (event: MatchEvent) => boolean {
  if (field === '') return (event) => test(cased ? event.text : event.lowerText);
  return (event) => {
    const values = (cased ? event.fields : event.lower).get(field);
    if (values === undefined) return false;
    for (const value of values) if (test(value)) return true;
    return false;
  };
}

function cidrNode(field: string, value: string): Node {
  let range: ReturnType<typeof ipaddr.parseCIDR>;
  try {
    range = ipaddr.parseCIDR(value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`);
  } catch {
    throw new SigmaError(`"${value.slice(0, 60)}" is not a network`);
  }
  const test = (text: string) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return address.kind() === range[0].kind() && address.match(range as [ipaddr.IPv4, number]);
  };
  return { matches: valueTest(field, test, true), literals: null };
}

function fieldrefNode(field: string, other: string, modifiers: readonly string[]): Node {
  const how = modifiers.find((modifier) => ['contains', 'startswith', 'endswith'].includes(modifier));
  const fits = (a: string, b: string) =>
    how === 'contains'
      ? a.includes(b)
      : how === 'startswith'
        ? a.startsWith(b)
        : how === 'endswith'
          ? a.endsWith(b)
          : a === b;
  const cased = modifiers.includes('cased');
  return {
    matches: (event) => {
      const source = cased ? event.fields : event.lower;
      const left = source.get(field) ?? [];
      const right = source.get(other) ?? [];
      return left.some((a) => right.some((b) => fits(a, b)));
    },
    literals: null,
  };
}

function numberNode(
  field: string,
  wanted: number,
  how: { compare: string | undefined; part: string | undefined },
): Node {
  if (Number.isNaN(wanted))
    throw new SigmaError(`"${field}" is compared with something that is not a number`);
  const compare =
    how.compare === undefined
      ? (a: number, b: number) => a === b
      : (COMPARE[how.compare] as (a: number, b: number) => boolean);
  const part = how.part === undefined ? null : (TIME_PARTS[how.part] as (date: Date) => number);
  const test = (text: string) => {
    if (part === null) return text.trim() !== '' && compare(Number(text), wanted);
    const ms = parseTime(text);
    return ms !== null && compare(part(new Date(ms)), wanted);
  };
  return { matches: valueTest(field, test, true), literals: null };
}

/** All texts a value stands for after expansion and encoding, as patterns over the whole field. */
function texts(value: string, { modifiers, options }: Context): Part[][] {
  let forms = [value];
  if (modifiers.includes('expand')) forms = forms.flatMap((form) => expand(form, options.placeholders));
  if (modifiers.includes('windash')) forms = forms.flatMap(windashForms);
  const wide = modifiers.map((modifier) => WIDE[modifier]).find((found) => found !== undefined) ?? 'utf8';
  const encodes = modifiers.includes('base64') || modifiers.includes('base64offset');
  if (wide !== 'utf8' && !encodes)
    return forms.map((form) => surround([encodeText(plainOf(form), wide).toString('latin1')], modifiers));
  if (modifiers.includes('base64'))
    return forms.map((form) => surround([toBase64(encodeText(plainOf(form), wide))], modifiers));
  if (modifiers.includes('base64offset')) {
    return forms.flatMap((form) =>
      base64Offsets(encodeText(plainOf(form), wide)).map((text) => surround([text], modifiers)),
    );
  }
  return forms.map((form) => surround(parsePattern(form), modifiers));
}

function plainOf(value: string): string {
  const text = plainText(parsePattern(value));
  if (text === null) throw new SigmaError('wildcards cannot be encoded');
  return text;
}

function surround(parts: Part[], modifiers: readonly string[]): Part[] {
  const before = modifiers.includes('contains') || modifiers.includes('endswith');
  const after = modifiers.includes('contains') || modifiers.includes('startswith');
  const whole = [...parts];
  if (before && whole[0] !== STAR) whole.unshift(STAR);
  if (after && whole.at(-1) !== STAR) whole.push(STAR);
  return whole;
}

function expand(value: string, placeholders: CompileOptions['placeholders']): string[] {
  const name = /%([\w.-]{1,64})%/u.exec(value);
  if (name === null) return [value];
  const values = placeholders[name[1] as string];
  if (values === undefined) throw new SigmaError(`placeholder %${name[1]}% has no values`);
  return values
    .flatMap((replacement) =>
      expand(
        value.replace(name[0], () => replacement),
        placeholders,
      ),
    )
    .slice(0, 1000);
}

function textNode(field: string, patterns: Part[][], cased: boolean): Node {
  const nodes = patterns.map((parts): Node => {
    const whole = field === '' ? surround(parts, ['contains']) : parts;
    const literal = longestPlain(parts).toLowerCase();
    const compared = cased ? whole : mapPlain(whole, (text) => text.toLowerCase());
    return {
      matches: valueTest(field, patternTest(compared), cased),
      literals: literal === '' ? null : [literal],
    };
  });
  return anyOf(nodes);
}
