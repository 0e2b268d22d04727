/**
 * The ledger of connections: every one that a request asks for is written before it is dialled, with what came of it
 * afterwards. The server process alone dials, so what is not here did not happen by Lokal's own hand.
 */
import type { ConnectionRow, ConnectionStore } from '../../db/journal/connections.ts';
import type { Caller } from '../caller.ts';

/** Who asks, and by which field. */
export interface Asked {
  caller: Pick<Caller, 'principal' | 'requestId'> | null;
  field: string;
}

export interface ConnectionLedger {
  /** Notes a connection that will be dialled; `settle` tells what came of it. */
  begin(host: string, asked: Asked): { settle(outcome: ConnectionRow['outcome'], reason: string): void };
  /** Notes one that was refused before that. */
  refuse(host: string, asked: Asked, reason: string): void;
  /** Newest first. */
  latest(count: number): ConnectionRow[];
}

export const keptConnections = 10_000;
const longestHost = 300;

export function createConnectionLedger(store: ConnectionStore, now: () => number): ConnectionLedger {
  function add(
    host: string,
    { caller, field }: Asked,
    outcome: ConnectionRow['outcome'],
    reason: string,
  ): number {
    const row = {
      timeMs: now(),
      keyId: caller?.principal.keyId ?? null,
      keyName: caller?.principal.name ?? null,
      requestId: caller?.requestId ?? null,
      host: host.slice(0, longestHost),
      askedBy: field,
      outcome,
      reason,
    };
    return store.add(row, keptConnections);
  }
  return {
    begin(host, asked) {
      // Should the process end now, the line says that it was let out.
      const sequence = add(host, asked, 'allowed', 'dialled');
      return { settle: (outcome, reason) => store.settle(sequence, outcome, reason) };
    },
    refuse: (host, asked, reason) => void add(host, asked, 'refused', reason),
    latest: (count) => store.latest(count),
  };
}
