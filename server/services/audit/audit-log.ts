/**
 * The record of administrative acts: keys, settings, packs, rules, sessions, templates, trust. A line is written in the
 * transaction of its act where the act is one of the database, so that after a crash either both are there or neither.
 */
import type { AuditLine, AuditStore } from '../../db/journal/audit.ts';
import { currentActor } from './actor.ts';
import { bind, findBreak } from './chain.ts';

export interface Act {
  /** The act, e.g. `key.create`. */
  action: string;
  target?: string;
  /** Never a secret, a path or a payload. */
  changes?: Record<string, unknown>;
}

export interface AuditLog {
  /** Runs `write` and records the act, in one transaction. */
  act<T>(act: Act, write: () => T): T;
  /** Records what is done already. */
  record(act: Act): void;
  /** In their order. @param newest how many; all where absent */
  lines(newest?: number): AuditLine[];
  /** The fault of the chain; null where it is whole. */
  findBreak(): string | null;
}

export function createAuditLog(store: AuditStore, now: () => number): AuditLog {
  const act = <T>({ action, target, changes = {} }: Act, write: () => T): T =>
    store.append(write, (head) =>
      bind(
        {
          sequence: (head?.sequence ?? 0) + 1,
          time_ms: now(),
          actor: currentActor(),
          action,
          target: target ?? null,
          // As it will be read again: without what JSON leaves out.
          changes: JSON.parse(JSON.stringify(changes)),
        },
        head,
      ),
    );
  return {
    act,
    record: (given) => act(given, () => undefined),
    lines: (newest) => store.lines(newest),
    findBreak: () => findBreak(store.lines(), store.head()),
  };
}

/** The fields that differ, each with its value before and after. */
export function changesBetween(
  before: object,
  after: object,
): Record<string, { from: unknown; to: unknown }> {
  const old = before as Record<string, unknown>;
  const differing = Object.entries(after).filter(
    ([name, to]) => JSON.stringify(old[name]) !== JSON.stringify(to),
  );
  return Object.fromEntries(differing.map(([name, to]) => [name, { from: old[name] ?? null, to }]));
}
