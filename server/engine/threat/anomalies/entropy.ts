/** Long random-looking strings where people write words: DNS labels (tunnels) and command lines (payloads). */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_LABEL = 32;
const LABEL_BITS = 3.6;
const MIN_LABELS = 4;
/** Shorter pieces, where an answer can hold text: mail alone asks for such, below names that begin with a line. */
const MIN_PIECE = 14;
const PIECE_BITS = 2.7;
const TEXT_TYPE = /(?:\b(?:q?type|rrtype|query_type)["=:\s]{1,4}|\bIN )["']?(?:TXT|NULL)\b/iu;
/** Names below different domains, made by a program that looks for the one that answers. */
const MIN_GENERATED = 4;
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
  const generated = new Map<string, { names: Set<string>; events: LogEvent[] }>();
  for (const event of events) {
    const query = firstField(event, 'query', 'queryname', 'dns.rrname', 'qname', 'q');
    if (query !== undefined && query.length < 512) {
      countLabel(tunnels, query, event);
      countGenerated(generated, query, event);
    }
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
  for (const { names, events: list } of generated.values())
    if (names.size >= MIN_GENERATED)
      found.push({
        ruleId: 'anomaly-generated-names',
        title: 'Names that look made by a program below many domains',
        level: 'medium',
        ttps: ['T1568.002'],
        events: list,
      });
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

/** No word: long, with digits between letters, or hardly a vowel. */
function looksGenerated(label: string): boolean {
  if (label.length < 10 || label.includes('-') || entropy(label) < 3) return false;
  const vowels = (label.match(/[aeiou]/gu) ?? []).length / label.length;
  const turns = (label.match(/[a-z]\d|\d[a-z]/gu) ?? []).length;
  return turns >= 2 || vowels < 0.2 || /[^aeiou\d]{6,}/u.test(label);
}

function countGenerated(
  generated: Map<string, { names: Set<string>; events: LogEvent[] }>,
  query: string,
  event: LogEvent,
): void {
  const labels = query.toLowerCase().replace(/\.$/u, '').split('.');
  const name = labels.at(-2) ?? '';
  if (labels.length > 3 || !looksGenerated(name)) return;
  const source = firstField(event, 'src_ip', 'id.orig_h', 'image', 'computer') ?? '';
  const held = generated.get(source) ?? { names: new Set(), events: [] };
  generated.set(source, held);
  held.names.add(name);
  held.events.push(event);
}

const takesText = ({ raw }: LogEvent, labels: readonly string[]): boolean =>
  labels.length >= 4 && !labels.some((label) => label.startsWith('_')) && TEXT_TYPE.test(raw.slice(0, 2048));

function countLabel(tunnels: Map<string, LogEvent[]>, query: string, event: LogEvent): void {
  const labels = query.toLowerCase().split('.');
  const longest = labels.reduce((best, label) => (label.length > best.length ? label : best), '');
  const isPiece = longest.length >= MIN_PIECE && entropy(longest) >= PIECE_BITS && takesText(event, labels);
  if (!isPiece && (longest.length < MIN_LABEL || entropy(longest) < LABEL_BITS)) return;
  const parent = labels.slice(-2).join('.');
  const held = tunnels.get(parent);
  if (held === undefined) tunnels.set(parent, [event]);
  else held.push(event);
}
