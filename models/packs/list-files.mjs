// Writes paths, sizes and SHA-256 of a pack's files into its manifest: node models/packs/list-files.mjs guard-starter
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

/** Texts for people and tests, which no engine reads. */
const unread = /^(?:manifest\.json|README\.md|figures\.json|samples\/.*)$/;

for (const id of process.argv.slice(2)) {
  const folder = new URL(`./${id}/`, import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'));
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(decodeURIComponent(folder.pathname).length))
    .filter((path) => !unread.test(path))
    .toSorted();
  manifest.files = paths.map((path) => {
    const bytes = readFileSync(new URL(path, folder));
    return { path, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  writeFileSync(new URL('manifest.json', folder), `${JSON.stringify(manifest, null, 2)}\n`);
}
