import { expect, it } from 'vitest';
import { machine, playgrounds, service } from '../../renderer/src/components/shell/nav-items.tsx';
import { goKeys } from '../../renderer/src/components/shell/palette/shortcuts.ts';

it('leads to every page of the navigation by a key of its own', () => {
  const pages = [...playgrounds, ...service, ...machine].map(({ to }) => to);
  expect(Object.keys(goKeys).toSorted()).toEqual(pages.toSorted());
  expect(new Set(Object.values(goKeys)).size).toBe(pages.length);
});
