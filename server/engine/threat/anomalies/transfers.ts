/** Much more sent out than came back, to a host outside; and pings that carry data. */
import { isIP } from 'node:net';
import { addressScope } from '../indicators/address.ts';
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_BYTES = 1_000_000_000;
const MIN_RATIO = 10;
/** For logs that give one sum for both ways. */
const MIN_BOTH_WAYS = 5_000_000_000;
const MIN_PINGS = 6;
const MIN_PING_BYTES = 500;
/** Words of logs for transfers that somebody planned. */
const PLANNED =
  /backup|baseline|veeam|replicat|snapshot|\bsync job\b|nightly|cdn|mirror|restic|borg|archive job|azure-vault|glacier/iu;

const size = (event: LogEvent, ...names: string[]) => Number(firstField(event, ...names) ?? Number.NaN);

const isOutside = (to: string) =>
  isIP(to) === 0 ? to.includes('.') : ['public', 'documentation'].includes(addressScope(to));

export function findTransfers(events: readonly LogEvent[]): Anomaly[] {
  const uploads: LogEvent[] = [];
  const exchanged: LogEvent[] = [];
  const pings = new Map<string, LogEvent[]>();
  const sums = new Map<string, { bytes: number; back: number; events: LogEvent[] }>();
  for (const event of events) {
    const to = firstField(
      event,
      'dst_ip',
      'dstip',
      'dst',
      'id.resp_h',
      'dest_ip',
      'destinationip',
      'dest',
      'hostname',
    );
    const from = firstField(event, 'src_ip', 'srcip', 'src', 'id.orig_h', 'sourceip') ?? '';
    if (to === undefined || !isOutside(to) || (isIP(from) !== 0 && isOutside(from))) continue;
    if (/icmp/iu.test(firstField(event, 'proto', 'protocol', 'service') ?? '')) {
      if (size(event, 'len', 'length', 'bytes', 'orig_bytes', 'size') >= MIN_PING_BYTES)
        pings.set(`${from} ${to}`, [...(pings.get(`${from} ${to}`) ?? []), event]);
      continue;
    }
    const sent = size(
      event,
      'sentbyte',
      'bytes_out',
      'orig_bytes',
      'bytes_sent',
      'out',
      'upload_bytes',
      'uploadbytes',
      'flow.bytes_toserver',
    );
    const back = size(
      event,
      'rcvdbyte',
      'bytes_in',
      'resp_bytes',
      'bytes_received',
      'in',
      'flow.bytes_toclient',
    );
    if (PLANNED.test(event.raw.slice(0, 4096))) continue;
    if (Number.isNaN(sent) && Number.isNaN(back)) {
      if (size(event, 'bytes', 'bytes_total', 'total_bytes') >= MIN_BOTH_WAYS) exchanged.push(event);
      continue;
    }
    if (!(sent > 0)) continue;
    const sum = sums.get(`${from} ${to}`) ?? { bytes: 0, back: 0, events: [] };
    sums.set(`${from} ${to}`, sum);
    sum.bytes += sent;
    sum.back += Number.isFinite(back) ? back : 0;
    sum.events.push(event);
  }
  for (const sum of sums.values())
    if (sum.bytes >= MIN_BYTES && sum.bytes >= sum.back * MIN_RATIO) uploads.push(...sum.events);
  const found: Anomaly[] = [...pings.values()]
    .filter((list) => list.length >= MIN_PINGS)
    .map((list) => ({
      ruleId: 'anomaly-ping-tunnel',
      title: 'Many large pings to one host outside',
      level: 'medium',
      ttps: ['T1095', 'T1048'],
      events: list,
    }));
  if (uploads.length > 0)
    found.push({
      ruleId: 'anomaly-large-upload',
      title: 'Much data sent to a host outside',
      level: 'medium',
      ttps: ['T1048', 'T1041'],
      events: uploads,
    });
  if (exchanged.length > 0)
    found.push({
      ruleId: 'anomaly-large-exchange',
      title: 'Much data exchanged with a host outside',
      level: 'low',
      ttps: ['T1048', 'T1041'],
      events: exchanged,
    });
  return found;
}
