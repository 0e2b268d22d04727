/** A ledger of connections in memory. */
import type { ConnectionLedger } from '../../../server/services/console/connections.ts';

export interface LedgerLine {
  host: string;
  outcome: string;
  reason: string;
}

export function recordingLedger(): ConnectionLedger & { lines: LedgerLine[] } {
  const lines: LedgerLine[] = [];
  return {
    lines,
    begin(host) {
      const line = { host, outcome: 'allowed', reason: 'dialled' };
      lines.push(line);
      return { settle: (outcome, reason) => void Object.assign(line, { outcome, reason }) };
    },
    refuse: (host, _, reason) => void lines.push({ host, outcome: 'refused', reason }),
    latest: () => [],
  };
}
