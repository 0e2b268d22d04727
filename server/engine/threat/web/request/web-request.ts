/** An event's HTTP request taken apart into named values, each decoded. */
import type { LogEvent } from '../../readers/event.ts';
import { splitRow } from '../../readers/formats/table.ts';
import type { ParameterNames } from '../parameter-names.ts';
import type { Forms } from './decode.ts';
import { base64Text, decodeValue, innerBase64, normalForms } from './decode.ts';

export const requestParts = [
  'path',
  /** All parameters with their separators, which a payload may hold itself. */
  'query',
  'name',
  'value',
  'header',
  'agent',
  'referer',
  'cookie',
  'body',
  'file',
  'xml',
] as const;
export type RequestPart = (typeof requestParts)[number];

export interface WebValue extends Forms {
  place: RequestPart;
  name: string;
  raw: string;
  decoded: string;
  layers: number;
  /** It stands in the body, which applications keep and show more often than run. */
  isBody: boolean;
}

export interface WebRequest {
  event: LogEvent;
  method: string;
  uri: string;
  status: string;
  contentType: string;
  /** Lower-case header name → value, where the log holds headers. */
  headers: Map<string, string>;
  body: string;
  /** Of the pack: names of parameters by what they are for. */
  names: ParameterNames;
  values: WebValue[];
  /** The values that are added next are the body's. */
  isAtBody: boolean;
}

const MAX_VALUES = 400;
/** Layers of base64, one in the other. */
const MAX_BASE64 = 4;
/** Places where a plus is a plus. */
const UNFORMED: ReadonlySet<RequestPart> = new Set(['path', 'header', 'agent', 'cookie', 'file', 'xml']);
/** Headers whose values are numbers, dates and negotiation: read only where they hold marks of code. */
const PLAIN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'upgrade-insecure-requests',
  'date',
  'if-modified-since',
  'dnt',
  'host',
  'origin',
  'x-requested-with',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
]);

/** Marks that none of these has. */
const HOSTILE_HEADER = /[<>{}$`|\\'"()]|\.\.\//u;

export function isWebEvent(event: LogEvent): boolean {
  return (
    event.fields.has('c-uri') ||
    event.fields.has('cs-uri-stem') ||
    (event.fields.has('uri') && event.format.startsWith('zeek'))
  );
}

/** Formats in which a product or a person tells of a request; the others are the request. */
const TOLD = /^(?:text|syslog|cef|leef|suricata-eve|json-alert|kubernetes-audit)$/u;

export const isRequest = (event: LogEvent): boolean => isWebEvent(event) && !TOLD.test(event.format);

export function toRequest(event: LogEvent, names: ParameterNames): WebRequest {
  const first = (name: string) => event.fields.get(name)?.[0] ?? '';
  const headers = new Map<string, string>();
  for (const [name, values] of event.fields)
    if (name.startsWith('http.header.')) headers.set(name.slice(12), values.join(', '));
  const uri =
    first('c-uri') ||
    first('uri') ||
    first('cs-uri-stem') + (first('cs-uri-query') ? `?${first('cs-uri-query')}` : '');
  const request: WebRequest = {
    event,
    method: (first('cs-method') || first('method')).toUpperCase(),
    uri,
    status: first('sc-status') || first('status_code'),
    contentType: (headers.get('content-type') ?? '').toLowerCase(),
    headers,
    body: first('cs-body'),
    names,
    values: [],
    isAtBody: false,
  };
  addUri(request, uri);
  addHeaders(request, first);
  request.isAtBody = true;
  addBody(request);
  return request;
}

/** Markup that editors put into pages: players, maps, data about the page, and its paragraphs. */
const EMBEDDED =
  /<iframe\s(?:(?!\bon|srcdoc|javascript:|data:)[^<>]){0,400}?src=["']https:\/\/(?:www\.|player\.|open\.|w\.)?(?:youtube(?:-nocookie)?\.com\/embed|vimeo\.com\/video|google\.com\/maps|spotify\.com\/embed|soundcloud\.com\/player|bilibili\.com\/player|dailymotion\.com\/embed)\/?[^"'<>]{0,300}["'](?:(?!\bon|srcdoc)[^<>]){0,400}><\/iframe>|<script(?: (?:async|defer)(?:="")?){0,2} src=["']https:\/\/(?:www\.googletagmanager\.com\/gt(?:m|ag\/js)|www\.google-analytics\.com\/|plausible\.io\/js\/|cdn\.jsdelivr\.net\/npm\/|hm\.baidu\.com\/hm)[\w./?=&;@-]{0,200}["']><\/script>|<script type=["']application\/ld\+json["']>\s*\{(?:(?!<\/?script)[\s\S]){0,8000}\}\s*<\/script>|<!\[CDATA\[|\]\]>/giu;

/** Places that a mail or page fills in: names, with the filters that write them out. */
const PLACEHOLDER =
  /\{\{-?\s?(?!(?:config|settings|self|request|session|class|env|secret)\b)[a-z]\w{0,40}(?:\.(?!_)[a-z]\w{0,40}){0,4}(?:\s?\|\s?(?:default|title|upper|lower|capitalize|date|currency|money|escape|e|trim|truncate|round|number|pluralize)(?:(?:\(|:\s?)(?:'[^'{}<>]{0,60}'|"[^"{}<>]{0,60}"|\d{1,4})\)?)?){0,3}\s?-?\}\}/giu;

function add(request: WebRequest, place: RequestPart, [name, raw]: [string, string]): void {
  if (raw === '' || request.values.length >= MAX_VALUES) return;
  const { text: unfolded, layers } = decodeValue(raw, !UNFORMED.has(place));
  const isText = place === 'value' || place === 'body';
  let text = isText ? unfolded.replace(EMBEDDED, ' ') : unfolded;
  if (isText && request.isAtBody && text.includes('{{')) text = text.replace(PLACEHOLDER, ' ');
  const isBody = request.isAtBody;
  request.values.push({ place, name, raw, decoded: text, layers, isBody, ...normalForms(text) });
  // Of forms a plus is a space, of base64 a sign.
  const whole = base64Text(text) ?? (raw.includes('+') ? base64Text(raw) : null);
  let inside = whole === null ? innerBase64(text) : [whole];
  for (let depth = 1; depth <= MAX_BASE64 && inside.length > 0; depth += 1) {
    for (const inner of inside)
      request.values.push({
        place,
        name,
        raw,
        decoded: inner,
        layers: layers + depth,
        isBody,
        ...normalForms(inner),
      });
    inside = inside.flatMap((inner) => base64Text(decodeValue(inner, false).text) ?? []);
  }
}

function addPairs(request: WebRequest, text: string, separator = /[&;]/u): void {
  for (const pair of text.split(separator).slice(0, MAX_VALUES)) {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    add(request, 'name', [name, name]);
    if (equals >= 0) addValue(request, name, pair.slice(equals + 1));
  }
}

/** Parameters; the whole as well where a payload may hold the separators itself. */
function addQuery(request: WebRequest, query: string): void {
  if (/;|(?:^|&)(?:[^=&]*(?:&|$)|=)/u.test(query)) add(request, 'query', ['query', query]);
  addPairs(request, query, /&/u);
}

/** JSON in a parameter is looked at part by part, as in a body: its quotes and marks are syntax. */
function addValue(request: WebRequest, name: string, raw: string): void {
  const { text } = decodeValue(raw, true);
  if (/^\s*(?:\{\s*"|\[\s*[{["])/u.test(text) && addJson(request, text)) return;
  add(request, 'value', [name, raw]);
}

function addUri(request: WebRequest, uri: string): void {
  const withoutHost = uri.replace(/^https?:\/\/[^/?#]{0,255}/iu, '');
  const mark = withoutHost.indexOf('?');
  add(request, 'path', ['path', mark < 0 ? withoutHost : withoutHost.slice(0, mark)]);
  if (mark < 0) return;
  const query = withoutHost.slice(mark + 1);
  addQuery(request, query);
}

function addHeaders(request: WebRequest, first: (name: string) => string): void {
  add(request, 'agent', ['user-agent', first('c-useragent') || first('user_agent')]);
  addReferer(request, first('cs-referer') || first('referrer'));
  for (const pair of first('cs-cookie').split(/; ?/u).slice(0, 64)) {
    const equals = pair.indexOf('=');
    add(request, 'cookie', [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)]);
    if (equals > 0) add(request, 'cookie', ['cookie', pair.slice(0, equals)]);
  }
  for (const [name, value] of [...request.headers, ['host', first('cs-host')] as const])
    if (!PLAIN_HEADERS.has(name) || HOSTILE_HEADER.test(value)) add(request, 'header', [name, value]);
}

/** The parameters of the page that links here are looked at one by one: somebody may have searched for code there. */
function addReferer(request: WebRequest, referer: string): void {
  const mark = referer.indexOf('?');
  add(request, 'referer', ['referer', mark < 0 ? referer : referer.slice(0, mark)]);
  if (mark < 0) return;
  for (const pair of referer
    .slice(mark + 1)
    .split('&')
    .slice(0, 64)) {
    const equals = pair.indexOf('=');
    add(request, 'referer', [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)]);
  }
}

/** Line of an answer: who pastes a request often pastes what came back. */
const ANSWER = /^HTTP\/\d(?:\.\d)? \d{3}\b[^\n]{0,200}$/mu;
/** Headers of an answer, up to the empty line. */
const ANSWER_HEADERS = /^(?:[\w-]{1,60}:[^\n]{0,2000}\n){0,60}\n/u;

function addBody(request: WebRequest): void {
  const [sent = '', ...answers] = request.body.split(ANSWER);
  addPart(request, sent);
  // Lines behind it may be forged, so they are looked at as well.
  for (const answer of answers) addPart(request, answer.trimStart().replace(ANSWER_HEADERS, '').trim(), '');
}

const FIELD_LINE = /^[\w.[\]%-]{1,64}=/u;

function addPart(request: WebRequest, body: string, contentType = request.contentType): void {
  if (body.trim() === '') return;
  if (contentType.includes('multipart')) addMultipart(request, body);
  else if (contentType.includes('json') || /^\s*[[{]/u.test(body)) {
    if (!addJson(request, body) && !addJsonLines(request, body)) add(request, 'body', ['body', body]);
  } else if ((contentType.includes('xml') && body.trimStart().startsWith('<')) || isXml(body))
    addXml(request, body);
  else if (contentType.startsWith('text/csv')) addCells(request, body);
  else if (/^[^\s=&<>{}()]{1,128}=/u.test(body)) {
    addQuery(request, body);
    // Pasted a field a line; a payload may span lines as well, so the whole is looked at above.
    const lines = body.trim().split('\n');
    if (lines.length > 1 && lines.every((line) => FIELD_LINE.test(line)))
      for (const line of lines) addPairs(request, line, /&/u);
  } else add(request, 'body', ['body', body]);
}

/** A document of a vocabulary of its own; pages and what they hold are markup, which may be an attack. */
const isXml = (body: string): boolean =>
  /^\s*<\?x/u.test(body) ||
  (/^\s*<(?!(?:script|img|svg|iframe|body|html|a|div|style|object|embed|video|audio|math|form|input|details|link|meta|base)\b)([a-z][\w.-]{0,40}:)?[a-z][\w.-]{0,60}[\s>]/iu.test(
    body,
  ) &&
    /<\/[\w:.-]{1,100}>\s*$/u.test(body));

/** Operators of filters that applications send as a matter of course. */
const FILTER =
  /^\$(?:gte?|lte?|in|nin|eq|and|or|not|exists|all|size|elemmatch|set|inc|push|pull|unset|match|project|group|limit|sort|lookup|search|options|text)$/iu;

const NAMED_FILTER = /^\$(?:ne|regex|not|nor)$/iu;

const isFilter = (
  key: string,
  inner: unknown,
  { name, isNamed, names }: { name: string; isNamed: boolean; names: ParameterNames },
): boolean =>
  !names.guarded.test(name) &&
  ((FILTER.test(key) && inner !== '' && inner !== null && inner !== false) ||
    (isNamed && NAMED_FILTER.test(key)));

/** Jenkins keeps its pipelines as XML, the classes of the steps as elements. */
const JENKINS = /<(?:hudson|jenkins|org\.jenkinsci)\./u;
/** Name of a value that is a command of a pipeline, whatever its key. */
export const BUILD_STEP = 'build step';

function addJson(request: WebRequest, text: string): boolean {
  const { names } = request;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const stack: [name: string, item: unknown, isStep: boolean, isNamed: boolean][] = [
    ['json', value, false, false],
  ];
  while (stack.length > 0 && request.values.length < MAX_VALUES) {
    const [name, item, isStep, isNamed] = stack.pop() as (typeof stack)[number];
    if (typeof item === 'string')
      add(request, 'value', [isStep && names.step_code.test(name) ? BUILD_STEP : name, item]);
    else if (Array.isArray(item)) for (const inner of item) stack.push([name, inner, isStep, isNamed]);
    else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        // Prototype pollution is spread over two levels.
        if (!isFilter(key, inner, { name, isNamed, names }))
          add(request, 'name', [key, name === 'constructor' ? `${name}.${key}` : key]);
        stack.push([key, inner, isStep || names.steps.test(key), isNamed || names.filters.test(key)]);
      }
    }
  }
  return true;
}

/** Records one a line, as collectors send them; what is no record is looked at as a whole. */
function addJsonLines(request: WebRequest, body: string): boolean {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return false;
  const other = lines.filter((line) => !line.trimStart().startsWith('{') || !addJson(request, line));
  if (other.length > 0) add(request, 'body', ['body', other.join('\n')]);
  return true;
}

/** Quotes of a table are doubled and mean nothing. */
function addCells(request: WebRequest, body: string): void {
  for (const line of body.split(/\r?\n/u).slice(0, MAX_VALUES))
    for (const cell of splitRow(line, ',')) add(request, 'value', ['cell', cell]);
}

function addXml(request: WebRequest, body: string): void {
  add(request, 'xml', ['xml', body]);
  const isPipeline = JENKINS.test(body);
  for (const [, element = '', inner = ''] of body.matchAll(
    /(?:<([\w:.-]{1,64})(?![\w:.-])[^<>]{0,1024})?>([^<>]{1,8192})(?=<)/gu,
  ))
    if (inner.trim() !== '')
      add(request, 'value', [
        isPipeline && request.names.step_code.test(element) ? BUILD_STEP : 'xml',
        inner,
      ]);
  for (const match of body.matchAll(/[\w:.-]{1,64}=(?:"([^"]{1,8192})"|'([^']{1,8192})')/gu)) {
    const text = (match[1] ?? match[2]) as string;
    if (!/^(?:1\.0|utf-8|https?:\/\/(?:www\.w3\.org|schemas\.)[\w./-]{0,200})$/iu.test(text))
      add(request, 'value', ['xml', text]);
  }
}

/** Names of what a part of a form holds: of such a file, of any other. */
const [DATA_PART, PART] = ['data part', 'part'];
export const isPart = ({ name }: WebValue): boolean => name === PART || name === DATA_PART;

const PART_JSON = /^content-type:\s*application\/(?:[\w.-]+\+)?json\b/imu;

function addMultipart(request: WebRequest, body: string): void {
  for (const part of body.split(/^--[^\r\n]{1,200}\r?$/mu).slice(1, 64)) {
    const gap = /\r?\n\r?\n/u.exec(part);
    const head = gap === null ? part : part.slice(0, gap.index);
    for (const line of head.split(/\r?\n/u)) if (line.trim() !== '') add(request, 'file', [PART, line]);
    if (gap === null) continue;
    const held = part.slice(gap.index + gap[0].length).trimEnd();
    if (PART_JSON.test(head) && addJson(request, held)) continue;
    add(request, 'value', [request.names.data_files.test(head) ? DATA_PART : PART, held]);
  }
}
