/**
 * Text as pasted → events. Formats are told line by line, so mixed input works; a JSON value, an XML event, a raw HTTP
 * request may span lines. Every step is one forward pass, so 32 KB of anything costs little.
 */

import type { LogChunk, LogEvent } from './event.ts';
import { addField, createEvent } from './event.ts';
import { readAccessRow, readQuotedRequest } from './formats/access-rows.ts';
import { readCef } from './formats/cef.ts';
import { flattenJson } from './formats/flatten.ts';
import {
  finishHttp,
  isRequestLine,
  readAccessLog,
  readJsonRequest,
  readNamedRequest,
  readRawRequest,
  setUri,
} from './formats/http.ts';
import { readKeyValues } from './formats/key-value.ts';
import type { Range } from './formats/split-json.ts';
import { jsonEnd, listItems } from './formats/split-json.ts';
import { readAuditd, readSyslog } from './formats/syslog.ts';
import { TableReader } from './formats/table.ts';
import { LineMap } from './lines.ts';
import type { LogSources } from './log-sources.ts';
import { nameRoles } from './roles.ts';
import { setTime } from './time.ts';
import { isWindowsJson, readWindowsJson } from './windows/windows-event.ts';
import { readWindowsXml } from './windows/windows-xml.ts';

type Json = Record<string, unknown>;

/** Lists that cloud products wrap their events in. */
const WRAPPERS = ['Records', 'records', 'items', 'value', 'events', 'Events', 'logs', 'data', 'hits'];

const JSON_START = /^(?:\{\s*["}]|\[\s*["{[\]\d-]|\[\s*(?:true|false|null)\b)/u;
/** Methods with a body, and how one begins. */
const SENDS = /^(?:POST|PUT|PATCH) /u;
const BODY_START = /^(?:[{[<]|--[\w-]|[\w.[\]%-]{1,64}=)/u;
/** One field of a form: a line of a log has several, parted by spaces. */
const PAIR = /^[\w.[\]%-]{1,64}=(?!.*\s[\w.-]{2,40}=\w)/u;
const MAX_PAIR = 400;
/** After so many a text is no collection of JSON. */
const MAX_BAD_JSON = 500;

class Reader {
  readonly text: string;
  readonly lines: LineMap;
  readonly events: LogEvent[] = [];
  readonly table: TableReader;
  readonly sources: LogSources;
  /** No balanced JSON value can begin before this offset: it was looked for once and never closed. */
  unclosedJson = false;
  /** Values that looked like JSON and were none. */
  badJson = 0;

  constructor(text: string, sources: LogSources) {
    this.text = text;
    this.sources = sources;
    this.table = new TableReader(sources);
    this.lines = new LineMap(text);
  }

  push(event: LogEvent): void {
    nameRoles(event);
    this.sources.setStanding(event);
    setTime(event);
    this.events.push(event);
  }

  read(): LogEvent[] {
    let offset = 0;
    while (offset < this.text.length) offset = this.#next(offset);
    return this.events;
  }

  /** Reads what begins on the line at `offset` and answers where the next line begins. */
  #next(offset: number): number {
    const line = this.lines.linePiece(offset);
    const after = this.#afterLine(line.end);
    const trimmed = line.raw.trimStart();
    if (trimmed === '') return after;
    const start = line.start + (line.raw.length - trimmed.length);
    const first = trimmed[0];
    if (first === '{' || first === '[') {
      const end = this.#json(start, line);
      if (end > 0) return end;
    } else if (trimmed.startsWith('<Event') || trimmed.startsWith('<?xml')) {
      const end = this.#xml(start);
      if (end > 0) return end;
    }
    if (isRequestLine(line.raw.trimEnd())) return this.#request(line.start);
    if (this.#tableLine(line, after)) return after;
    this.push(readLine(line, this.sources));
    return after;
  }

  #afterLine(end: number): number {
    const newline = this.text.indexOf('\n', end);
    return newline < 0 ? this.text.length : newline + 1;
  }

  /** One JSON value, or all items of a list; the offset behind it, or -1 if it is not JSON. */
  #json(start: number, line: LogChunk): number {
    let end = start + line.raw.trim().length;
    let value = this.#parse(start, end);
    if (value === null) {
      if (this.unclosedJson) return -1;
      end = jsonEnd(this.text, start);
      if (end < 0) {
        this.unclosedJson = true;
        return -1;
      }
      value = this.#parse(start, end);
      if (value === null) return -1;
    }
    this.#jsonValue(value, { start, end }, 0);
    return this.text[end] === '\n' || this.text[end] === '\r' ? this.#afterLine(end) : end;
  }

  /** Null for what is no list or object. A failure costs an exception, so what cannot be JSON by its ends is not tried. */
  #parse(start: number, end: number): object | null {
    if (this.badJson >= MAX_BAD_JSON) return null;
    const close = this.text[start] === '{' ? '}' : ']';
    if (this.text[end - 1] !== close) return null;
    const text = this.text.slice(start, end);
    if (!JSON_START.test(text)) return null;
    try {
      return JSON.parse(text) as object;
    } catch {
      this.badJson += 1;
      return null;
    }
  }

  #jsonValue(value: object, range: Range, depth: number): void {
    if (Array.isArray(value)) {
      const objects = value.filter((item) => typeof item === 'object' && item !== null);
      const ranges = objects.length === value.length && depth < 4 ? listItems(this.text, range) : [];
      if (objects.length > 0 && ranges.length === objects.length) {
        for (const [i, item] of objects.entries()) this.#jsonValue(item, ranges[i] as Range, depth + 1);
        return;
      }
      this.push(readJson(this.lines.piece(range.start, range.end), { message: value }, this.sources));
      return;
    }
    const wrapper = WRAPPERS.find((name) => isListOfObjects((value as Json)[name]));
    if (wrapper !== undefined && Object.keys(value).length <= 6) {
      const inner = this.#listRange(range, wrapper);
      if (inner !== null) {
        this.#jsonValue((value as Json)[wrapper] as object, inner, depth + 1);
        return;
      }
    }
    this.push(readJson(this.lines.piece(range.start, range.end), value as Json, this.sources));
  }

  #listRange(range: Range, name: string): Range | null {
    const key = this.text.indexOf(`"${name}"`, range.start);
    const start = key < 0 || key >= range.end ? -1 : this.text.indexOf('[', key);
    if (start < 0 || start >= range.end) return null;
    const end = jsonEnd(this.text, start, range.end);
    return end < 0 ? null : { start, end };
  }

  #xml(start: number): number {
    const open = this.text.indexOf('<Event', start);
    if (open < 0) return -1;
    if (this.text.startsWith('<Events', open)) return this.#afterTag(open);
    const close = this.text.indexOf('</Event>', open);
    if (close < 0) return -1;
    const event = createEvent(this.lines.piece(open, close + 8), 'windows-xml');
    readWindowsXml(event, this.sources);
    this.push(event);
    return close + 8;
  }

  #afterTag(open: number): number {
    const close = this.text.indexOf('>', open);
    return close < 0 ? -1 : close + 1;
  }

  /** Up to the next request line; headers and body belong to this one. */
  #request(start: number): number {
    let end = this.#afterLine(start);
    let sawHeader = false;
    while (end < this.text.length) {
      const line = this.lines.linePiece(end);
      if (isRequestLine(line.raw)) break;
      const isHeader = /^[\w-]{1,64}:/u.test(line.raw);
      // A lone request line in a list of log lines takes no body: only headers open one, or a blank line before a form or document.
      if (!sawHeader && !isHeader && !this.#isBody(start, line)) break;
      sawHeader = true;
      end = this.#afterLine(line.end);
    }
    const event = createEvent(this.lines.piece(start, trimEnd(this.text, start, end)), 'http-request');
    readRawRequest(event);
    this.push(event);
    return end;
  }

  /** Behind a request that sends something a blank line and a form or a document, or a field of a form at once. */
  #isBody(start: number, line: LogChunk): boolean {
    if (!SENDS.test(this.text.slice(start, start + 8))) return false;
    if (line.raw.trim() !== '') return PAIR.test(line.raw.slice(0, MAX_PAIR));
    const next = this.#afterLine(line.end);
    return next < this.text.length && BODY_START.test(this.lines.linePiece(next).raw.slice(0, 80));
  }

  #tableLine(line: LogChunk, after: number): boolean {
    if (line.raw.startsWith('#')) return this.table.directive(line.raw);
    const event = createEvent(line, 'csv');
    if (!this.table.row(event))
      return after < this.text.length && this.table.header(line.raw, this.lines.linePiece(after).raw);
    if (event.format === 'csv' && event.fields.has('eventid')) readWindowsRow(event, this.sources);
    this.push(event);
    return true;
  }
}

function readWindowsRow(event: LogEvent, sources: LogSources): void {
  readWindowsJson(
    event,
    Object.fromEntries([...event.fields].map(([name, values]) => [name, values[0] ?? ''])),
    sources,
  );
  event.format = 'csv';
}

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'object' && item !== null)
  );
}

function trimEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start + 1 && /\s/u.test(text[last - 1] as string)) last -= 1;
  return last;
}

function readJson(piece: LogChunk, value: Json, sources: LogSources): LogEvent {
  const event = createEvent(piece, 'json');
  if (isWindowsJson(value)) {
    readWindowsJson(event, value, sources);
    return event;
  }
  flattenJson(event, value);
  sources.setJson(event);
  if (event.format === 'json') readJsonRequest(event, value);
  if (event.format === 'json') readNamedRequest(event);
  if (event.format === 'json') readEmbedded(event, sources);
  return event;
}

/** Container runtimes wrap the line a program wrote: `{"log": "…"}`. */
function readEmbedded(event: LogEvent, sources: LogSources): void {
  const line = event.fields.get('log')?.[0] ?? event.fields.get('message')?.[0];
  if (line === undefined || line.length > 8192 || line.includes('\n')) return;
  const inner = readLine({ ...event, raw: line }, sources);
  for (const [name, values] of inner.fields) if (!event.fields.has(name)) event.fields.set(name, values);
  if (event.sources.length === 0) event.sources = inner.sources;
}

const BARE_PATH = /^\/[^\s?#]{0,2048}\?\S{1,16384}$/u;

function readLine(piece: LogChunk, sources: LogSources): LogEvent {
  const event = createEvent(piece, 'text');
  if (readCef(event) || readAuditd(event) || readAccessLog(event) || readAccessRow(event)) return event;
  if (readSyslog(event)) {
    if (event.raw.length <= 16_384) readQuotedRequest(event);
    return event;
  }
  if (BARE_PATH.test(piece.raw)) {
    setUri(event, piece.raw);
    finishHttp(event);
    event.format = 'request-path';
    return event;
  }
  if (piece.raw.includes('=') && readKeyValues(event, piece.raw) >= 3) {
    sources.setJson(event);
    event.format = 'key-value';
    readNamedRequest(event);
    readBody(event);
  }
  if (!event.fields.has('c-uri')) readQuotedRequest(event);
  readDate(event);
  addField(event, 'message', piece.raw);
  return event;
}

/** The time that a line begins with, or that it gives as date and time apart. */
function readDate(event: LogEvent): void {
  if (event.fields.has('timestamp')) return;
  const date = event.fields.get('date')?.[0];
  const time = event.fields.get('time')?.[0];
  const head = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,10})/u.exec(event.raw)?.[1];
  if (date !== undefined && time !== undefined) addField(event, 'timestamp', `${date}T${time}Z`);
  else if (head !== undefined) addField(event, 'timestamp', head.replace(' ', 'T').replace(/[\],]+$/u, ''));
}

/** A body written behind `body=`, whatever quotes it holds itself, runs to the last quote of the line. */
function readBody(event: LogEvent): void {
  const body = / body="(.{1,16384})"/u.exec(event.raw)?.[1];
  if (body === undefined || !event.fields.has('c-uri')) return;
  event.fields.set('cs-body', [body.replaceAll('\\"', '"')]);
}

export function readEvents(text: string, sources: LogSources): LogEvent[] {
  return new Reader(text, sources).read();
}
