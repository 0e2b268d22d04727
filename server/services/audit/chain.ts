/** The chain of the audit log: a line that was removed, changed, added or moved breaks it at its place. */
import type { AuditHead, AuditLine } from '../../db/journal/audit.ts';
import { canonicalHash } from '../canonical-json.ts';

/** The first line is bound to this. */
const origin = '0'.repeat(64);

export type UnboundLine = Omit<AuditLine, 'hash'>;

export function bind(line: UnboundLine, previous: AuditHead | null): AuditLine {
  const { sequence, time_ms, actor, action, target, changes } = line;
  const bound = { sequence, time_ms, actor, action, target, changes };
  return { ...bound, hash: canonicalHash({ ...bound, previous: previous?.hash ?? origin }) };
}

/** The fault, in words that name the line; null where the chain is whole and ends as `head` says. */
export function findBreak(lines: AuditLine[], head: AuditHead | null): string | null {
  let previous: AuditHead | null = null;
  for (const line of lines) {
    const expected: number = (previous?.sequence ?? 0) + 1;
    if (line.sequence !== expected)
      return line.sequence > expected
        ? `line ${expected} is missing`
        : `line ${line.sequence} stands where line ${expected} belongs`;
    if (bind(line, previous).hash !== line.hash) return `line ${line.sequence} was changed`;
    previous = line;
  }
  if ((previous?.sequence ?? 0) < (head?.sequence ?? 0))
    return `line ${(previous?.sequence ?? 0) + 1} is missing: there were ${head?.sequence}`;
  if (previous && previous.hash !== head?.hash)
    return `the log does not end as it did after line ${head?.sequence ?? 0}`;
  return null;
}
