/** The `pages` field: `3`, `1-3` or `1,4-6`, at most 20 pages. The server checks again against the document. */

export const maxPages = 20;

export type PagesCheck =
  | { ok: true; pages: number[] }
  | { ok: false; reason: 'malformed' | 'order' | 'too_many' | 'beyond' };

export function checkPages(text: string, total?: number): PagesCheck {
  const selected = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^\s*([1-9]\d{0,5})\s*(?:-\s*([1-9]\d{0,5})\s*)?$/.exec(part);
    if (!match) return { ok: false, reason: 'malformed' };
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first) return { ok: false, reason: 'order' };
    if (last - first >= maxPages) return { ok: false, reason: 'too_many' };
    for (let page = first; page <= last; page += 1) selected.add(page);
  }
  if (selected.size > maxPages) return { ok: false, reason: 'too_many' };
  if (total !== undefined && Math.max(...selected) > total) return { ok: false, reason: 'beyond' };
  return { ok: true, pages: [...selected].sort((a, b) => a - b) };
}
