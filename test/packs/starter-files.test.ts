import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseManifest } from '../../server/packs/manifest.ts';

const packs = new URL('../../models/packs/', import.meta.url);
const unread = /(?:manifest\.json|README\.md|figures\.json|samples\/.*)$/;

test.each(globSync('*/manifest.json', { cwd: packs }))(
  '%s lists every file with its size and hash',
  (name) => {
    const folder = new URL(name.replace('manifest.json', ''), packs);
    const { files } = JSON.parse(readFileSync(new URL(name, packs), 'utf8')) as {
      files: { path: string; size_bytes: number; sha256: string }[];
    };
    for (const { path, size_bytes, sha256 } of files) {
      const bytes = readFileSync(new URL(path, folder));
      const hash = createHash('sha256').update(bytes).digest('hex');
      expect({ path, size_bytes: bytes.length, sha256: hash }).toEqual({ path, size_bytes, sha256 });
    }
    const there = globSync('**/*', { cwd: folder })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !unread.test(path) && statSync(new URL(path, folder)).isFile());
    expect(files.map(({ path }) => path).toSorted()).toEqual(there.toSorted());
  },
);

test.each(globSync('*/manifest.json', { cwd: packs }))('%s describes its pack in each language', (name) => {
  const { descriptions } = parseManifest(readFileSync(new URL(name, packs), 'utf8'));
  expect(Object.keys(descriptions ?? {})).toEqual(['ms', 'zh']);
});

const recipes = new URL('../../models/recipes/', import.meta.url);

test.each([
  ['embed-starter', 'export.py'],
  ['lingua-starter', 'pack.ts'],
  ['shield-starter', 'pack.py'],
  ['vision-starter', 'pack.py'],
])('the recipe of %s writes the descriptions that are shipped', (pack, file) => {
  const recipe = readFileSync(new URL(`${pack}/${file}`, recipes), 'utf8');
  const manifest = readFileSync(new URL(`${pack}/manifest.json`, packs), 'utf8');
  const { description, descriptions } = parseManifest(manifest);
  // A recipe counts the weights itself.
  for (const text of [description, ...Object.values(descriptions ?? {})])
    for (const part of text.split(/[\d.]+(?= (?:million|juta|万个权重))/)) expect(recipe).toContain(part);
});
