/** Text of the interface by key: `t('keys.title')`, with `{name}` placeholders checked by the type. */
import type { en } from './en.ts';
import { catalogues, numbers } from './language.ts';

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

const written = (value: string | number): string =>
  typeof value === 'number' ? numbers().format(value) : value;

export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  const texts = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    written(value as string | number),
  ]);
  return catalogues.t(key as string, { replace: Object.fromEntries(texts) });
}

/** Keys that come in two numbers: `pages.one` and `pages.other`. */
type Counted = Extract<TextKey, `${string}.other`> extends `${infer Stem}.other` ? Stem : never;

export const tn = (stem: Counted, count: number): string =>
  catalogues.t(stem as string, { count, replace: { count: written(count) } });
