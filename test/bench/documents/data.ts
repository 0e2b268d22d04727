/** The development data, where it is there, and how much of it a run takes. */

import { existsSync } from 'node:fs';

const data = new URL('../../../../shared/data/', import.meta.url);

export function folder(name: string): URL | null {
  const url = new URL(`${name}/`, data);
  return existsSync(url) ? url : null;
}

/** `LOKAL_BENCH_SHARE`, 0 to 1: how much of the pictures, forms and cards is read; all of them without it. */
const share = Number(process.env.LOKAL_BENCH_SHARE ?? 1);
if (!(share > 0 && share <= 1)) throw new Error('LOKAL_BENCH_SHARE is a number above 0 and at most 1');

/** Evenly spread over the whole, at least one of them. */
export function part<T>(all: readonly T[]): T[] {
  const count = Math.max(1, Math.round(share * all.length));
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index / share)]!);
}
