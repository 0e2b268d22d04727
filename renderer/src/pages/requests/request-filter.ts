/** Which rows of the log are shown. */
import type { RequestEntry } from '../../../../server/api/console/console.ts';

export const statusClasses = ['all', 'running', 'ok', 'failed'] as const;

export interface RequestFilter {
  text: string;
  status: (typeof statusClasses)[number];
  keyId: string | null;
}

export const noRequestFilter: RequestFilter = { text: '', status: 'all', keyId: null };

export function filterRequests(
  entries: RequestEntry[],
  { text, status, keyId }: RequestFilter,
): RequestEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (keyId !== null && entry.key_id !== keyId) return false;
    if (status !== 'all' && toStatusClass(entry) !== status) return false;
    const row = [entry.id, entry.method, entry.path, entry.model, entry.key_name, entry.status, entry.code]
      .join(' ')
      .toLowerCase();
    return words.every((word) => row.includes(word));
  });
}

export function toStatusClass({ status }: RequestEntry): 'running' | 'ok' | 'failed' {
  if (status === null) return 'running';
  return status < 400 ? 'ok' : 'failed';
}

/** The keys that occur, by name. */
export function keysOf(entries: RequestEntry[]): { value: string; label: string }[] {
  const names = new Map(
    entries.flatMap(({ key_id, key_name }) => (key_id ? [[key_id, key_name ?? key_id] as const] : [])),
  );
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
