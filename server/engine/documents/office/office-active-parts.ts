/** Parts of an Office package that run, lie inside unseen, or are fetched from elsewhere when it is opened. */

import type { ActivePart } from './flow.ts';
import { linksOf, type PackageParts } from './package-parts.ts';

/** Links that a reader follows by hand, not on opening. */
const harmless = new Set(['hyperlink', 'image']);
const longestDetail = 200;

export function officeActiveParts(parts: PackageParts): ActivePart[] {
  const active: ActivePart[] = [];
  for (const name of parts.names) {
    const file = name.slice(name.lastIndexOf('/') + 1);
    if (/^vbaProject\.bin$/i.test(file)) active.push({ kind: 'script', detail: 'macros' });
    else if (/\/activeX\/[^_/][^/]*\.xml$/i.test(name))
      active.push({ kind: 'script', detail: `control ${file}` });
    else if (/\/embeddings\/[^/]+$/i.test(name)) active.push({ kind: 'embedded_file', detail: file });
    else if (/^Basic\/.*\.xml$/i.test(name) && !/script-l[bc]\.xml$/i.test(name))
      active.push({ kind: 'script', detail: `macro ${file}` });
    if (!name.endsWith('.rels')) continue;
    const owner = name.replace(/_rels\/([^/]*)\.rels$/, '$1');
    for (const { external, target, type } of linksOf(parts, owner).values()) {
      const fetched =
        external && (!harmless.has(type) || (type === 'image' && /^(?:https?:|\\\\|file:)/i.test(target)));
      if (fetched)
        active.push({ kind: 'external_reference', detail: `${type}: ${target.slice(0, longestDetail)}` });
    }
  }
  return active;
}
