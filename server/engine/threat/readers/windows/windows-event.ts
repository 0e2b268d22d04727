/**
 * Windows events in the shapes analysts paste: evtx as JSON (`#attributes`, `@`-attributes), winlogbeat, flat exports, and
 * rendered XML. All end as the flat names Sigma rules use: EventID, Channel, Provider_Name, Computer, then the event's data.
 */

import type { LogEvent } from '../event.ts';
import { addField, firstField } from '../event.ts';
import { flattenJson } from '../formats/flatten.ts';
import type { LogSources } from '../log-sources.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for JSON that holds a Windows event, whatever wrote it. */
export function isWindowsJson(value: Json): boolean {
  if (isObject(value.Event)) return isObject(value.Event.System) || isObject(value.Event.EventData);
  if (isObject(value.winlog)) return true;
  if (isObject(value.System) && (isObject(value.EventData) || isObject(value.UserData))) return true;
  const hasId = 'EventID' in value || 'EventId' in value || 'event_id' in value;
  return (
    hasId &&
    ('Channel' in value ||
      'SourceName' in value ||
      'ProviderName' in value ||
      'Provider_Name' in value ||
      'LogName' in value ||
      'Image' in value)
  );
}

export function readWindowsJson(event: LogEvent, value: Json, sources: LogSources): void {
  event.format = 'windows-json';
  const body = isObject(value.Event) ? value.Event : value;
  if (isObject(value.winlog)) readWinlogbeat(event, value);
  else if (isObject(body.System)) readSystem(event, body);
  else {
    flattenJson(event, value);
    readMessageLines(event);
  }
  finishWindows(event, sources);
}

function readSystem(event: LogEvent, body: Json): void {
  for (const [name, item] of Object.entries(body.System as Json)) systemField(event, name, item);
  for (const part of ['EventData', 'UserData', 'RenderingInfo', 'ProcessingErrorData']) {
    if (body[part] !== undefined && body[part] !== null)
      dataFields(event, body[part], part === 'RenderingInfo' ? 0 : 1);
  }
}

function systemField(event: LogEvent, name: string, item: unknown): void {
  if (!isObject(item)) {
    if (item !== null && item !== undefined) addField(event, name, String(item));
    return;
  }
  const text = item['#text'] ?? item._ ?? item.Value ?? item.value;
  if (text !== undefined) addField(event, name, String(text));
  const attributes = isObject(item['#attributes']) ? item['#attributes'] : isObject(item.$) ? item.$ : item;
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('#') || value === null || typeof value === 'object') continue;
    systemAttribute(event, name, [key.replace(/^@/, ''), String(value)]);
  }
}

/** Provider/@Name is Provider_Name in Sigma; SystemTime keeps its own name; the rest are `Element_Attribute`. */
function systemAttribute(event: LogEvent, element: string, [name, value]: [string, string]): void {
  if (element === 'TimeCreated') addField(event, name, value);
  else addField(event, `${element}_${name}`, value);
  if (element === 'Security' && name === 'UserID') addField(event, 'UserID', value);
}

/** EventData as a map, as a list of `{Name, #text}`, or as UserData nested one level deeper. */
function dataFields(event: LogEvent, data: unknown, depth: number): void {
  if (Array.isArray(data)) {
    for (const item of data) dataItem(event, item);
    return;
  }
  if (!isObject(data)) {
    addField(event, 'Data', String(data));
    return;
  }
  for (const [name, item] of Object.entries(data)) {
    if (name.startsWith('#') || name.startsWith('@') || name === 'xmlns') continue;
    if (name === 'Data' && (Array.isArray(item) || isObject(item)))
      dataFields(event, Array.isArray(item) ? item : [item], depth);
    else if (isObject(item) && '#text' in item) addField(event, name, String(item['#text']));
    else if (isObject(item) && depth < 6) dataFields(event, item, depth + 1);
    else flattenJson(event, item, name);
  }
}

function dataItem(event: LogEvent, item: unknown): void {
  if (!isObject(item)) {
    if (item !== null) addField(event, 'Data', String(item));
    return;
  }
  const attributes = isObject(item['#attributes']) ? item['#attributes'] : isObject(item.$) ? item.$ : item;
  const name = attributes.Name ?? attributes['@Name'];
  const text = item['#text'] ?? item._ ?? item.Value ?? '';
  addField(event, name === undefined ? 'Data' : String(name), text === null ? '' : String(text));
}

function readWinlogbeat(event: LogEvent, value: Json): void {
  const log = value.winlog as Json;
  flattenJson(event, value);
  const named: [string, unknown][] = [
    ['EventID', log.event_id],
    ['Channel', log.channel],
    ['Provider_Name', log.provider_name],
    ['Computer', log.computer_name],
  ];
  for (const [name, item] of named)
    if (item !== undefined && item !== null) addField(event, name, String(item));
  for (const part of [log.event_data, log.user_data]) if (part !== undefined) dataFields(event, part, 1);
}

/** Rendered messages (`Image: C:\…` on a line of its own) carry the fields that a bare export leaves out. */
function readMessageLines(event: LogEvent): void {
  const message = firstField(event, 'message');
  if (message === undefined || !message.includes('\n')) return;
  for (const line of message.split(/\r?\n/u).slice(0, 400)) {
    const colon = line.indexOf(':');
    if (colon <= 0 || colon > 40) continue;
    const name = line.slice(0, colon).trim().replace(/ /gu, '');
    const value = line.slice(colon + 1).trim();
    if (value !== '' && /^\w+$/u.test(name) && !event.fields.has(name.toLowerCase()))
      addField(event, name, value);
  }
}

const ALIASES: Readonly<Record<string, readonly [string, string][]>> = {
  '4688': [
    ['newprocessname', 'Image'],
    ['parentprocessname', 'ParentImage'],
    ['subjectusername', 'User'],
    ['newprocessid', 'ProcessId'],
    ['processcommandline', 'CommandLine'],
  ],
  '4657': [
    ['objectname', 'TargetObject'],
    ['newvalue', 'Details'],
  ],
  '5156': [
    ['application', 'Image'],
    ['destaddress', 'DestinationIp'],
    ['destport', 'DestinationPort'],
    ['sourceaddress', 'SourceIp'],
  ],
};

/** Names that exporters write differently, and what Sigma calls the fields of Security events. */
export function finishWindows(event: LogEvent, sources: LogSources): void {
  const renamed: [string, string][] = [
    ['eventid', 'EventID'],
    ['event_id', 'EventID'],
    ['providername', 'Provider_Name'],
    ['sourcename', 'Provider_Name'],
    ['source_name', 'Provider_Name'],
    ['hostname', 'Computer'],
    ['computername', 'Computer'],
    ['machinename', 'Computer'],
    ['logname', 'Channel'],
  ];
  for (const [from, to] of renamed) copyField(event, from, to);
  const id = firstField(event, 'eventid', 'id') ?? '';
  for (const [from, to] of ALIASES[id] ?? []) copyField(event, from, to);
  splitHashes(event);
  event.sources = sources.ofWindows(event, {
    channel: firstField(event, 'channel') ?? '',
    id,
    provider: firstField(event, 'provider_name') ?? '',
  });
}

function copyField(event: LogEvent, from: string, to: string): void {
  const key = to.toLowerCase();
  if (from === key || event.fields.has(key)) return;
  const values = event.fields.get(from);
  if (values !== undefined && values.length > 0) event.fields.set(key, values);
}

/** Sysmon writes all hashes into one field; rules also ask for them one by one. */
function splitHashes(event: LogEvent): void {
  const hashes = firstField(event, 'hashes', 'hash');
  if (hashes === undefined || hashes.length > 1024) return;
  for (const part of hashes.split(',')) {
    const [name, value] = part.split('=');
    if (name && value && /^\w+$/u.test(name)) addField(event, name, value);
  }
}
