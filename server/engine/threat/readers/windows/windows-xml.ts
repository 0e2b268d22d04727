import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';
import type { LogSources } from '../log-sources.ts';
import { finishWindows } from './windows-event.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/giu, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const code =
      name[1] === 'x' || name[1] === 'X'
        ? Number.parseInt(name.slice(2), 16)
        : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of tag.matchAll(/([\w:.-]{1,64})\s{0,8}=\s{0,8}(?:"([^"]{0,8192})"|'([^']{0,8192})')/gu)) {
    found.set(match[1] as string, unescapeXml(match[2] ?? match[3] ?? ''));
  }
  return found;
}

/** An `<Event>` element as rendered by Windows. No DTD, no entities beyond the five, one pass: nothing to expand. */
export function readWindowsXml(event: LogEvent, sources: LogSources): void {
  event.format = 'windows-xml';
  const xml = event.raw;
  let open: { name: string; dataName: string | undefined; textStart: number } | null = null;
  for (let i = xml.indexOf('<'); i >= 0; i = xml.indexOf('<', i + 1)) {
    const close = xml.indexOf('>', i);
    if (close < 0) break;
    const tag = xml.slice(i + 1, close);
    if (tag.startsWith('/')) {
      if (open !== null) leaf(event, open, unescapeXml(xml.slice(open.textStart, i)));
      open = null;
      continue;
    }
    const name = /^[\w:.-]{1,64}/u.exec(tag)?.[0] ?? '';
    const attributes = attributesOf(tag);
    systemAttributes(event, name, attributes);
    open = tag.endsWith('/') ? null : { name, dataName: attributes.get('Name'), textStart: close + 1 };
  }
  finishWindows(event, sources);
}

function leaf(event: LogEvent, open: { name: string; dataName: string | undefined }, text: string): void {
  if (open.name === 'Data') addField(event, open.dataName ?? 'Data', text);
  else if (open.name !== '' && text.trim() !== '') addField(event, open.name, text);
}

function systemAttributes(event: LogEvent, element: string, attributes: Map<string, string>): void {
  if (element === 'Data' || element === 'Event') return;
  for (const [name, value] of attributes) {
    if (name === 'xmlns') continue;
    if (element === 'TimeCreated') addField(event, name, value);
    else addField(event, `${element}_${name}`, value);
  }
}
