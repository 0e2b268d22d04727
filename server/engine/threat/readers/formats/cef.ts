/** CEF (ArcSight) and LEEF (QRadar): a header split by `|`, then `key=value` pairs. */

import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';

const CEF_HEAD = [
  'cef_version',
  'device_vendor',
  'device_product',
  'device_version',
  'signature_id',
  'name',
  'severity',
];
const LEEF_HEAD = ['leef_version', 'device_vendor', 'device_product', 'device_version', 'signature_id'];

/** Cuts at unescaped bars, at most `count` times; the rest is the last part. */
function splitHead(text: string, count: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length && parts.length < count; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '|') {
      parts.push(text.slice(from, i).replace(/\\([|\\])/gu, '$1'));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

export function readCef(event: LogEvent): boolean {
  const cef = event.raw.indexOf('CEF:');
  const leef = event.raw.indexOf('LEEF:');
  if (cef >= 0 && cef < 200) return read(event, event.raw.slice(cef + 4), 'cef');
  if (leef >= 0 && leef < 200) return read(event, event.raw.slice(leef + 5), 'leef');
  return false;
}

function read(event: LogEvent, text: string, format: 'cef' | 'leef'): boolean {
  const head = format === 'cef' ? CEF_HEAD : LEEF_HEAD;
  const parts = splitHead(text, head.length);
  if (parts.length <= head.length) return false;
  event.format = format;
  for (const [i, name] of head.entries()) addField(event, name, parts[i] as string);
  extensions(event, parts[head.length] as string, format === 'leef');
  addAliases(event);
  event.sources = [{ product: (parts[1] as string).toLowerCase() }];
  return true;
}

/** A value runs to the next ` name=`; LEEF 1.0 separates with tabs, 2.0 may name its separator first. */
function extensions(event: LogEvent, text: string, leef: boolean): void {
  if (leef && text.includes('\t')) {
    for (const pair of text.split('\t')) {
      const equals = pair.indexOf('=');
      if (equals > 0) addField(event, pair.slice(0, equals), pair.slice(equals + 1));
    }
    return;
  }
  const marks = [...text.matchAll(/(?:^|[ ^|])([A-Za-z][\w.-]{0,40})=/gu)].slice(0, 256);
  marks.forEach((mark, i) => {
    const from = mark.index + mark[0].length;
    const to = marks[i + 1]?.index ?? text.length;
    addField(
      event,
      mark[1] as string,
      text
        .slice(from, to)
        .trim()
        .replace(/\\([=\\|])/gu, '$1'),
    );
  });
}

const ALIASES: readonly [string, string][] = [
  ['src', 'src_ip'],
  ['dst', 'dst_ip'],
  ['suser', 'user'],
  ['duser', 'target_user'],
  ['usrname', 'user'],
  ['shost', 'host'],
  ['request', 'c-uri'],
  ['requestmethod', 'cs-method'],
  ['requestclientapplication', 'c-useragent'],
  ['filehash', 'hash'],
  ['dproc', 'process'],
];

function addAliases(event: LogEvent): void {
  for (const [from, to] of ALIASES) {
    const value = event.fields.get(from)?.[0];
    if (value !== undefined) addField(event, to, value);
  }
}
