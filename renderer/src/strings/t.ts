/** Text of the interface by key: `t('keys.title')`, with `{name}` placeholders checked by the type. */
import { en } from './en.ts';

type Leaves<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Leaves<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

type At<T, K extends string> = K extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : K extends keyof T
    ? T[K]
    : never;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

export type TextKey = Leaves<typeof en>;
type Values<K extends TextKey> = [Names<At<typeof en, K>>] extends [never]
  ? []
  : [values: Record<Names<At<typeof en, K>>, string | number>];

const numbers = new Intl.NumberFormat('en');

export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  let node: unknown = en;
  for (const part of key.split('.')) node = (node as Record<string, unknown>)[part];
  return String(node).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Record<string, string | number> | undefined)?.[name] ?? '';
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

/** Keys that come in two numbers: `pages.one` and `pages.other`. */
type Counted = Extract<TextKey, `${string}.other`> extends `${infer Stem}.other` ? Stem : never;

const plural = new Intl.PluralRules('en');

export function tn(stem: Counted, count: number): string {
  const form = plural.select(count) === 'one' ? 'one' : 'other';
  return (t as (key: string, values: object) => string)(`${stem}.${form}`, { count });
}
