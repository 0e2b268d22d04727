/** All indicators of a text, each once, with every place it was found. */

import type { LogEvent } from '../readers/event.ts';
import type { DecodedText } from '../text/decoded.ts';
import type { Indicator, IndicatorType } from '../types.ts';
import { findAccounts } from './account.ts';
import { findHost, isDropped, path } from './host.ts';
import type { IndicatorMatch } from './indicator-match.ts';
import { findNetworkIndicators } from './network.ts';
import { originSpan, refang } from './refang.ts';

const MAX_OFFSETS = 100;
const MAX_INDICATORS = 500;
/** Characters of a request's query that are unescaped. */
const MAX_QUERY = 4096;

/** Confidence of a sighting alone; a match of a rule on the same line raises it (answer/score.ts). */
const BASE: Readonly<Record<IndicatorType, number>> = {
  ip: 0.6,
  domain: 0.6,
  url: 0.7,
  email: 0.5,
  md5: 0.7,
  sha1: 0.7,
  sha256: 0.8,
  cve: 0.9,
  file_path: 0.4,
  registry_key: 0.5,
  process: 0.4,
  user: 0.4,
  mac: 0.4,
  bitcoin: 0.9,
};
const DOUBTFUL = 0.2;
const DEFANGED = 0.9;
const DROPPED = 0.55;

/** Kinds whose span hides what lies inside it: a name inside a path or a link is not found again. */
const COVERING: Readonly<Record<string, readonly IndicatorType[]>> = {
  domain: ['email', 'file_path', 'registry_key'],
  process: ['url', 'registry_key'],
  file_path: ['url', 'registry_key'],
  user: [],
  md5: ['url'],
  sha1: ['url'],
};

/** Of decoded commands come addresses, names and links, each where the base64 stands. */
export function extractIndicators(
  text: string,
  events: readonly LogEvent[],
  decoded: readonly DecodedText[] = [],
): Indicator[] {
  const refanged = refang(text, events);
  const found = [
    ...findNetworkIndicators(refanged.text),
    ...findHost(refanged.text),
    ...findAccounts(refanged, events),
  ];
  const byKey = new Map<string, Indicator>();
  for (const item of withoutCovered(found)) {
    const span = originSpan(refanged, item.start, item.end);
    if (item.weak === true && !span.defanged) continue;
    record(byKey, item, span);
  }
  for (const { text: command, start, end } of [...decoded, ...queriesOf(events)])
    for (const item of withoutCovered([...findNetworkIndicators(command), ...droppedIn(command)]))
      if (item.weak !== true) record(byKey, item, { start, end, defanged: false });
  return [...byKey.values()].slice(0, MAX_INDICATORS);
}

/** Queries of web requests, their escapes undone: `curl%20http://…` hides a link from its own line. */
function queriesOf(events: readonly LogEvent[]): DecodedText[] {
  return events.flatMap((event) => {
    const { start, end } = event;
    const texts = ['cs-uri-query', 'cs-uri-stem'].flatMap((name) => event.fields.get(name) ?? []);
    return texts
      .filter((text) => text.length <= MAX_QUERY && (/%[0-9a-f]{2}|\+/iu.test(text) || isDropped(text)))
      .map((text) => ({ text: unescaped(text), start, end }));
  });
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const droppedIn = (text: string): IndicatorMatch[] =>
  isDropped(text)
    ? [{ ...path(text), start: 0, end: text.length }]
    : findHost(text).filter(({ type, value }) => type === 'file_path' && isDropped(value));

function withoutCovered(found: IndicatorMatch[]): IndicatorMatch[] {
  const ordered = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: IndicatorMatch[] = [];
  const open: IndicatorMatch[] = [];
  for (const item of ordered) {
    while (open.length > 0 && (open.at(-1) as IndicatorMatch).end <= item.start) open.pop();
    const covered = open.some(
      (outer) =>
        outer.end >= item.end &&
        outer.end > item.start &&
        outer !== item &&
        (COVERING[item.type]?.includes(outer.type) ||
          (outer.type === item.type && outer.end - outer.start > item.end - item.start)),
    );
    if (!covered) kept.push(item);
    if (open.length < 8) open.push(item);
  }
  return kept;
}

function record(
  byKey: Map<string, Indicator>,
  item: IndicatorMatch,
  span: { start: number; end: number; defanged: boolean },
): void {
  const caseless =
    item.type === 'file_path' ||
    item.type === 'registry_key' ||
    item.type === 'process' ||
    item.type === 'user';
  const key = `${item.type}\u0000${caseless ? item.value.toLowerCase() : item.value}`;
  const held = byKey.get(key);
  if (held === undefined) {
    const confidence = span.defanged
      ? DEFANGED
      : item.scope === 'public' || item.scope === 'documentation'
        ? item.type === 'file_path' && isDropped(item.value)
          ? DROPPED
          : BASE[item.type]
        : DOUBTFUL;
    byKey.set(key, {
      type: item.type,
      value: item.value,
      confidence,
      offsets: [{ start: span.start, end: span.end }],
      defanged: span.defanged,
      scope: item.scope,
    });
    return;
  }
  if (held.offsets.length < MAX_OFFSETS && !held.offsets.some((offset) => offset.start === span.start))
    held.offsets.push({ start: span.start, end: span.end });
  if (span.defanged) {
    held.defanged = true;
    held.confidence = Math.max(held.confidence, DEFANGED);
  }
}
