import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goKeys } from '../../renderer/src/components/shell/palette/shortcuts.ts';

const navigation = readFileSync(
  new URL('../../renderer/src/components/shell/nav-items.tsx', import.meta.url),
  'utf8',
);

it('leads to every page of the navigation by a key of its own', () => {
  const [listed = ''] = navigation.split('export const elsewhere');
  const pages = [...listed.matchAll(/\bto: '([^']+)'/g)].map(([, to]) => to);
  expect(pages).toContain('/engines');
  expect(Object.keys(goKeys).toSorted()).toEqual(pages.toSorted());
  expect(new Set(Object.values(goKeys)).size).toBe(pages.length);
});
