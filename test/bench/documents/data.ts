/** The development data, where it is there. */

import { existsSync } from 'node:fs';

const data = new URL('../../../../shared/data/', import.meta.url);

export function folder(name: string): URL | null {
  const url = new URL(`${name}/`, data);
  return existsSync(url) ? url : null;
}
