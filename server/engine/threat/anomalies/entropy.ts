/** Long random-looking strings where people write words: DNS labels (tunnels) and command lines (payloads). */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_LABEL = 32;
const LABEL_BITS = 3.6;
const MIN_LABELS = 4;
const MIN_BLOB = 200;
const BLOB_BITS = 4.6;

/** Shannon entropy in bits a character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

export function findSecretsAndBlobs(events: readonly LogEvent[]): Anomaly[] {
  const tunnels = new Map<string, LogEvent[]>();
  const blobs: LogEvent[] = [];
  for (const event of events) {
    const query = firstField(event, 'query', 'queryname', 'dns.rrname');
    if (query !== undefined && query.length < 512) countLabel(tunnels, query, event);
    const command = firstField(event, 'commandline');
    const blob =
      command === undefined ? undefined : /[A-Za-z0-9+/]{200,4096}={0,2}/u.exec(command.slice(0, 8192))?.[0];
    if (blob !== undefined && blob.length >= MIN_BLOB && entropy(blob) >= BLOB_BITS) blobs.push(event);
  }
  const found: Anomaly[] = [...tunnels.values()]
    .filter((list) => list.length >= MIN_LABELS)
    .map((list) => ({
      ruleId: 'anomaly-dns-tunnel',
      title: 'Many long random names below one domain',
      level: 'medium',
      ttps: ['T1071.004', 'T1048'],
      events: list,
    }));
  if (blobs.length > 0)
    found.push({
      ruleId: 'anomaly-encoded-payload',
      title: 'Long encoded payload in a command line',
      level: 'medium',
      ttps: ['T1027.010'],
      events: blobs,
    });
  return found;
}

function countLabel(tunnels: Map<string, LogEvent[]>, query: string, event: LogEvent): void {
  const labels = query.toLowerCase().split('.');
  const longest = labels.reduce((best, label) => (label.length > best.length ? label : best), '');
  if (longest.length < MIN_LABEL || entropy(longest) < LABEL_BITS) return;
  const parent = labels.slice(-2).join('.');
  const held = tunnels.get(parent);
  if (held === undefined) tunnels.set(parent, [event]);
  else held.push(event);
}
