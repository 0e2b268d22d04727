/** One client asking for many things that are not there: the shape of a scan, whatever the paths. */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_MISSES = 15;
const MISS_SHARE = 0.6;
const MIN_PORTS = 15;

interface Client {
  events: LogEvent[];
  misses: LogEvent[];
  paths: Set<string>;
  ports: Set<string>;
}

export function findBursts(events: readonly LogEvent[]): Anomaly[] {
  const clients = new Map<string, Client>();
  for (const event of events) {
    const address = firstField(event, 'src_ip', 'c-ip', 'sourceip', 'srcip', 'id.orig_h', 'src');
    if (address === undefined) continue;
    let client = clients.get(address);
    if (client === undefined) {
      client = { events: [], misses: [], paths: new Set(), ports: new Set() };
      clients.set(address, client);
    }
    record(client, event);
  }
  return [...clients.values()].flatMap(judge);
}

function record(client: Client, event: LogEvent): void {
  client.events.push(event);
  const status = firstField(event, 'sc-status', 'status_code', 'status');
  const path = firstField(event, 'cs-uri-stem', 'c-uri');
  if (path !== undefined && status !== undefined && /^40[0134]$/u.test(status)) {
    client.misses.push(event);
    client.paths.add(path);
  }
  const port = firstField(event, 'destinationport', 'dst_port', 'dstport', 'dpt', 'dest_port', 'id.resp_p');
  const host = firstField(event, 'destinationip', 'dst_ip', 'dstip', 'dst', 'id.resp_h') ?? '';
  if (port !== undefined) client.ports.add(`${host}:${port}`);
}

function judge(client: Client): Anomaly[] {
  const found: Anomaly[] = [];
  if (client.paths.size >= MIN_MISSES && client.misses.length >= client.events.length * MISS_SHARE) {
    found.push({
      ruleId: 'anomaly-forced-browsing',
      title: 'One client asks for many paths that do not exist',
      level: 'medium',
      ttps: ['T1595.003'],
      events: client.misses,
    });
  }
  const ports = new Set([...client.ports].map((target) => target.slice(target.lastIndexOf(':') + 1)));
  if (ports.size >= MIN_PORTS && client.ports.size >= client.events.length * MISS_SHARE) {
    found.push({
      ruleId: 'anomaly-port-scan',
      title: 'One host tries many ports',
      level: 'medium',
      ttps: ['T1046'],
      events: client.events,
    });
  }
  return found;
}
