/** /console/connections: the ledger of connections out of this machine. */
import type { FastifyInstance } from 'fastify';
import type { ConnectionRow } from '../../db/journal/connections.ts';
import { registerOperation } from '../../routes/operation.ts';
import { type ConnectionLedger, keptConnections } from '../../services/console/connections.ts';

const shown = 1_000;

export function registerConsoleConnections(app: FastifyInstance, ledger: ConnectionLedger): void {
  registerOperation(app, 'GET /console/connections', () => ({ data: ledger.latest(shown).map(toEntry) }));
  registerOperation(app, 'GET /console/connections/export', () => ({
    text: ledger
      .latest(keptConnections)
      .reverse()
      .map((row) => `${JSON.stringify(toEntry(row))}\n`)
      .join(''),
  }));
}

const toEntry = (row: ConnectionRow) => ({
  sequence: row.sequence,
  time_ms: row.timeMs,
  key_id: row.keyId,
  key_name: row.keyName,
  request_id: row.requestId,
  host: row.host,
  asked_by: row.askedBy,
  outcome: row.outcome,
  reason: row.reason,
});
