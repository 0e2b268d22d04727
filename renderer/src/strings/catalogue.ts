import type { en } from './en.ts';

/** A translation of T: every key, any text; a language without a singular leaves `one` out. */
export type Catalogue<T = typeof en> = T extends { one: string; other: string }
  ? { one?: string; other: string }
  : { [K in keyof T]: T[K] extends string ? string : Catalogue<T[K]> };
