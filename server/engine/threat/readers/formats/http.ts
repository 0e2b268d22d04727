/** HTTP requests: access logs (common, combined, IIS-like) and raw requests with headers and body. */

import type { LogEvent } from '../event.ts';
import { addField, firstField } from '../event.ts';

const ACCESS =
  /^(\S{1,255}) (\S{1,64}) (.{1,128}?) \[([^\]]{10,40})\] "((?:[^"\\]|\\.){0,32768})" (\d{3}|-) (\d{1,15}|-)(?: "((?:[^"\\]|\\.){0,8192})" "((?:[^"\\]|\\.){0,8192})")?/u;
const REQUEST_LINE = /^([A-Za-z]{1,32}) (.{1,32768}?)(?: (HTTP\/\d(?:\.\d)?))?$/u;

/** Apache and nginx write bytes they cannot print as \xHH. */
const unescapeLog = (text: string) =>
  text.replace(/\\x([0-9A-Fa-f]{2})/gu, (_, hex: string) => `%${hex}`).replace(/\\(["\\])/gu, '$1');

export function readAccessLog(event: LogEvent): boolean {
  const match = ACCESS.exec(event.raw);
  if (match === null) return false;
  event.format = 'access-log';
  addField(event, 'c-ip', match[1] as string);
  addField(event, 'src_ip', match[1] as string);
  if (match[3] !== '-') addField(event, 'cs-username', match[3] as string);
  addField(event, 'timestamp', match[4] as string);
  const request = unescapeLog(match[5] as string);
  const line = REQUEST_LINE.exec(request);
  addField(event, 'cs-method', line?.[1] ?? '');
  setUri(event, line?.[2] ?? request);
  if (line?.[3]) addField(event, 'cs-version', line[3]);
  addField(event, 'sc-status', match[6] as string);
  if (match[8] && match[8] !== '-') addField(event, 'cs-referer', unescapeLog(match[8]));
  if (match[9] && match[9] !== '-') addField(event, 'c-useragent', unescapeLog(match[9]));
  finishHttp(event);
  return true;
}

export function setUri(event: LogEvent, uri: string): void {
  addField(event, 'c-uri', uri);
  const mark = uri.indexOf('?');
  addField(event, 'cs-uri-stem', mark < 0 ? uri : uri.slice(0, mark));
  if (mark >= 0) {
    addField(event, 'cs-uri-query', uri.slice(mark + 1));
    addField(event, 'c-uri-query', uri.slice(mark + 1));
  }
}

/** Rules name the user agent both ways; `keywords` of web rules search the whole line. */
export function finishHttp(event: LogEvent): void {
  const agent = firstField(event, 'c-useragent');
  if (agent !== undefined) addField(event, 'cs-user-agent', agent);
  event.sources = [
    { category: 'webserver' },
    { category: 'proxy' },
    { product: 'apache', service: 'access' },
    { product: 'nginx' },
    { service: 'apache' },
  ];
}

const METHODS =
  /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND|[A-Z]{3,32}) \S.{0,32768}? HTTP\/\d(?:\.\d)?$/u;
const METHOD_PATH =
  /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND) (?:\/|\*|https?:\/\/)\S{0,32768}$/u;

/** A request told on one line, its body behind the path: a document, or a form with more than a plain pair. */
const SHORT =
  /^(POST|PUT|PATCH|DELETE) ((?:\/|https?:\/\/)\S{0,4096}) (\{.{0,32768}\}|\[.{0,32768}\]|<.{0,32768}>|[\w.%[\]-]{1,64}=(?=\S{0,32768}[&%+;|`$<>'"(])\S{0,32768}|(?=[\w.%[\]-]{1,64}=\*\))\S{0,4096})$/u;

export const isRequestLine = (line: string) =>
  METHODS.test(line) || METHOD_PATH.test(line) || (line.charCodeAt(0) <= 80 && SHORT.test(line.trimEnd()));

/** Words that a bridge or a person puts before the request. */
const FORWARDED = /^[A-Z][\w -]{2,60}: (?=(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/)/u;

/** A name with an equals sign above one of these is an odd header, with which a client might hide the others; else a field of a form. */
const HEADER = /^[\w-]{1,64}:(?!\/\/)/u;

/** A raw request: its line, headers, an empty line, a body. The whole piece is one event. */
export function readRawRequest(event: LogEvent): void {
  event.format = 'http-request';
  const lines = event.raw.split(/\r?\n/u);
  const head = (lines[0] as string).trimEnd().replace(FORWARDED, '');
  const [, method, path, told] = SHORT.exec(head) ?? [];
  const line = REQUEST_LINE.exec(head);
  addField(event, 'cs-method', method ?? line?.[1] ?? '');
  setUri(event, path ?? line?.[2] ?? head);
  const headerLines = lines.slice(0, lines.includes('', 1) ? lines.indexOf('', 1) : lines.length);
  const lastHeader = headerLines.findLastIndex((line, at) => at > 0 && HEADER.test(line));
  let i = 1;
  for (; i < lines.length && lines[i] !== ''; i += 1) {
    const text = lines[i] as string;
    const colon = text.indexOf(':');
    const name = text.slice(0, colon);
    if (colon <= 0 || /\s/u.test(name) || (i > lastHeader && name.includes('='))) break;
    setHeader(event, name, text.slice(colon + 1).trim());
  }
  if (lines[i] === '') i += 1;
  const body = [...(told === undefined ? [] : [told]), ...lines.slice(i)].join('\n');
  if (body.trim() !== '') addField(event, 'cs-body', body);
  finishHttp(event);
}

const HEADER_FIELDS: Readonly<Record<string, string>> = {
  'user-agent': 'c-useragent',
  referer: 'cs-referer',
  cookie: 'cs-cookie',
  host: 'cs-host',
};

export function setHeader(event: LogEvent, name: string, value: string): void {
  addField(event, HEADER_FIELDS[name.toLowerCase()] ?? `http.header.${name}`, value);
}

const URI_FIELDS = [
  'uri',
  'url',
  'request_uri',
  'requesturl',
  'request',
  'cs-uri',
  'path',
  'http.request.uri',
  'request.uri',
];

const HOST_FILE =
  /^(?!.*\.\.)\/(?:usr|s?bin|opt|lib\d*|proc|mnt|srv|boot|sys|Applications|Library|System|Users)\/[\w./ +-]+$/u;

/** A log that names an address among other fields: enough to look into its query. */
export function readNamedRequest(event: LogEvent): void {
  if (event.fields.has('c-uri')) return;
  const uri = firstField(event, ...URI_FIELDS);
  if (uri === undefined || !/^(?:\/|https?:\/\/[^/\s]{1,255}\/)\S{0,32768}$/u.test(uri)) return;
  const method = firstField(event, 'method', 'http_method', 'verb', 'requestmethod');
  // A file of the host, as sensors name programs.
  if (method === undefined && HOST_FILE.test(uri) && uri === firstField(event, 'path')) return;
  setUri(event, uri);
  if (method !== undefined) addField(event, 'cs-method', method);
  const agent = firstField(event, 'user_agent', 'useragent', 'http_user_agent', 'agent', 'ua');
  if (agent !== undefined) addField(event, 'c-useragent', agent);
  const known = event.sources;
  finishHttp(event);
  event.sources = [...known, ...event.sources];
}

/** W3C extended logs: stem and query apart, spaces of the user agent written as `+`. */
export function readIis(event: LogEvent): void {
  const stem = firstField(event, 'cs-uri-stem') ?? '/';
  const query = firstField(event, 'cs-uri-query');
  addField(event, 'c-uri', query === undefined ? stem : `${stem}?${query}`);
  for (const [from, to] of [
    ['cs(user-agent)', 'c-useragent'],
    ['cs(referer)', 'cs-referer'],
    ['cs(cookie)', 'cs-cookie'],
    ['c-ip', 'src_ip'],
  ] as const) {
    const value = firstField(event, from);
    if (value !== undefined) addField(event, to, value.replaceAll('+', ' '));
  }
  const day = firstField(event, 'date');
  const time = firstField(event, 'time');
  if (day !== undefined && time !== undefined) addField(event, 'timestamp', `${day}T${time}Z`);
  finishHttp(event);
  event.sources.push({ product: 'windows', service: 'iis' });
}

type Json = Record<string, unknown>;

/** A request logged as JSON (`method`, `uri` or `url`, `headers`, `body`), by a proxy, a WAF or an application. */
export function readJsonRequest(event: LogEvent, value: Json): boolean {
  const request = isRecord(value.request)
    ? value.request
    : isRecord(value.http)
      ? value.http
      : isRecord(value.httpRequest)
        ? value.httpRequest
        : value;
  const uri =
    text(request.uri) ??
    text(request.url) ??
    text(request.path) ??
    text(request.request_uri) ??
    text(request.requestUri);
  const method =
    text(request.method) ?? text(request.http_method) ?? text(request.httpMethod) ?? text(request.verb);
  const looksLikePath = uri !== undefined && /^(?:\/|\*|https?:\/\/)/u.test(uri);
  if (
    uri === undefined ||
    !(looksLikePath || isRecord(request.headers)) ||
    (method === undefined && !isRecord(request.headers))
  )
    return false;
  event.format = 'http-json';
  if (method !== undefined) addField(event, 'cs-method', method);
  setUri(event, uri);
  if (isRecord(request.headers)) {
    for (const [name, item] of Object.entries(request.headers))
      if (text(item) !== undefined) setHeader(event, name, String(item));
  }
  const agent = text(request.user_agent) ?? text(request.userAgent) ?? text(request.http_user_agent);
  if (agent !== undefined) addField(event, 'c-useragent', agent);
  const body = request.data ?? request.body ?? request.request_body ?? request.postData;
  if (body !== undefined && body !== null && body !== '')
    addField(event, 'cs-body', typeof body === 'string' ? body : JSON.stringify(body));
  const encoded = text(request.encoded_request);
  if (encoded !== undefined) addField(event, 'cs-body', Buffer.from(encoded, 'base64').toString('latin1'));
  finishHttp(event);
  return true;
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
