/** Rows of access logs without their header: IIS (W3C), CloudFront, load balancers (ALB) and Zeek, told by their cells. */
import { isIP } from 'node:net';
import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';
import { finishHttp, setUri } from './http.ts';

const METHOD = /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND)$/u;
const ZEEK = /^\d{9,10}\.\d{1,9}\t\w{14,24}\t/u;
const DATED = /^\d{4}-\d\d-\d\d[ \t]\d\d:\d\d:\d\d[ \t]/u;
const ALB = /^(?:https?|h2|wss?|grpcs?) \d{4}-\d\d-\d\dT\S{8,20} (?:app|net)\/\S{1,100} (\S{3,60}):\d{1,5} /u;

/** True when the line is such a row; its fields have the names of the format's own header. */
export function readAccessRow(event: LogEvent): boolean {
  if (ZEEK.test(event.raw)) return readZeekRow(event, event.raw.split('\t'));
  if (ALB.test(event.raw)) return readAlb(event);
  if (!DATED.test(event.raw)) return false;
  return event.raw.includes('\t') ? readCloudFront(event, event.raw.split('\t')) : readIisRow(event);
}

function name(event: LogEvent, names: readonly string[], cells: readonly string[]): void {
  for (const [i, field] of names.entries()) {
    const value = cells[i];
    if (field !== '' && value !== undefined && value !== '' && value !== '-' && value !== '(empty)')
      addField(event, field, value);
  }
}

const ZEEK_HEAD = ['ts', 'uid', 'id.orig_h', 'id.orig_p', 'id.resp_h', 'id.resp_p'];
const ZEEK_ROWS: Readonly<Record<string, readonly string[]>> = {
  conn: 'proto service duration orig_bytes resp_bytes conn_state'.split(' '),
  http: 'trans_depth method host uri referrer version user_agent origin request_body_len response_body_len status_code status_msg'.split(
    ' ',
  ),
  dns: 'proto trans_id rtt query qclass qclass_name qtype qtype_name rcode rcode_name'.split(' '),
};

function readZeekRow(event: LogEvent, cells: string[]): boolean {
  const [, , from = '', , to = ''] = cells;
  if (isIP(from) === 0 || isIP(to) === 0) return false;
  const [seventh = '', eighth = '', , tenth = ''] = cells.slice(6);
  const isTransport = /^(?:tcp|udp|icmp|unknown_transport)$/u.test(seventh);
  const kind = METHOD.test(eighth)
    ? 'http'
    : isTransport && /^\d+$/u.test(eighth) && tenth.includes('.')
      ? 'dns'
      : isTransport
        ? 'conn'
        : null;
  if (kind === null) return false;
  name(event, [...ZEEK_HEAD, ...(ZEEK_ROWS[kind] as string[])], cells);
  addField(event, 'timestamp', cells[0] as string);
  event.format = 'zeek';
  event.sources = [{ product: 'zeek', service: kind }];
  if (kind === 'http') {
    const agent = cells[12];
    if (agent !== undefined && agent !== '-') addField(event, 'c-useragent', agent);
    setUri(event, cells[9] ?? '/');
    addField(event, 'cs-method', eighth);
    addField(event, 'src_ip', from);
    const status = /^\d{3}$/u.exec(cells[15] ?? '') ?? /^\d{3}$/u.exec(cells[16] ?? '');
    if (status !== null) addField(event, 'sc-status', status[0]);
    const own = event.sources;
    finishHttp(event);
    event.sources = [...own, ...event.sources];
  }
  return true;
}

/** CloudFront's columns: date time edge bytes c-ip method host stem status referer agent query cookie … */
function readCloudFront(event: LogEvent, cells: string[]): boolean {
  const [date = '', time = '', , , address = '', method = '', host = '', stem = '', status = ''] = cells;
  if (isIP(address) === 0 || !METHOD.test(method)) return false;
  const [referer = '-', agent = '-', query = '-', cookie = '-'] = cells.slice(9);
  event.format = 'cloudfront';
  setUri(event, query === '-' ? stem : `${stem}?${query}`);
  name(
    event,
    ['c-ip', 'src_ip', 'cs-method', 'cs-host', 'sc-status', 'cs-referer', 'c-useragent', 'cs-cookie'],
    [address, address, method, host, status, decoded(referer), decoded(agent), cookie],
  );
  addField(event, 'timestamp', `${date}T${time}Z`);
  finishHttp(event);
  return true;
}

/** Agents are written with their blanks encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `date time [site] s-ip method stem query port user c-ip agent [referer] status …`: found by its method and addresses. */
function readIisRow(event: LogEvent): boolean {
  const cells = event.raw.split(' ');
  const at = cells.findIndex((cell, i) => i > 1 && i < 7 && METHOD.test(cell));
  const stem = cells[at + 1] ?? '';
  if (at < 0 || !stem.startsWith('/')) return false;
  const query = cells[at + 2] ?? '-';
  const client = cells.slice(at + 3).find((cell) => isIP(cell) !== 0);
  if (client === undefined) return false;
  const rest = cells.slice(cells.indexOf(client, at + 3) + 1);
  event.format = 'iis';
  setUri(event, query === '-' ? stem : `${stem}?${query}`);
  const agent = rest.find((cell) => /[A-Za-z]/u.test(cell) && !METHOD.test(cell)) ?? '-';
  const status = rest.find((cell) => /^[1-5]\d\d$/u.test(cell)) ?? '-';
  name(
    event,
    ['c-ip', 'src_ip', 'cs-method', 'sc-status', 'c-useragent'],
    [client, client, cells[at] as string, status, agent.replaceAll('+', ' ')],
  );
  addField(event, 'timestamp', `${cells[0]}T${cells[1]}Z`);
  finishHttp(event);
  event.sources.push({ product: 'windows', service: 'iis' });
  return true;
}

function readAlb(event: LogEvent): boolean {
  const address = ALB.exec(event.raw)?.[1];
  if (address === undefined || !readQuotedRequest(event)) return false;
  event.format = 'load-balancer';
  addField(event, 'c-ip', address);
  addField(event, 'src_ip', address);
  return true;
}

const QUOTED =
  /(?:["'`\u201c](?=[A-Z]{3,8} \S{1,16384} HTTP\/)(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND) (\S.{0,16384}?) (HTTP\/\d(?:\.\d)?))|"(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND) ([^"]{1,16384})"/u;
const BARE =
  /(?:^|[\s([,:>|])(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|TRACE|TRACK|CONNECT|PROPFIND) ((?:https?:\/\/|\/)\S{0,16384})(?: (HTTP\/\d(?:\.\d)?))?/u;

/** A request somewhere in a line: `… "GET /x HTTP/1.1" 200 …`, or without quotes. True where there is one. */
export function readQuotedRequest(event: LogEvent): boolean {
  const line = event.raw;
  const quoted = QUOTED.exec(line);
  const target = quoted?.[2] ?? quoted?.[5] ?? '';
  const match = /^(?:\/|\*|https?:)/u.test(target) ? (quoted as RegExpExecArray) : BARE.exec(line);
  if (match === null) return false;
  if (match === quoted) match.splice(1, 3, match[1] ?? (match[4] as string), target, match[3] as string);
  addField(event, 'cs-method', match[1] as string);
  setUri(event, (match[2] as string).replace(/["'`,;)\]]+$/u, ''));
  if (match[3]) addField(event, 'cs-version', match[3]);
  const before = line.slice(0, match.index);
  const after = line.slice(match.index + match[0].length);
  const address = /(?:^|[^\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/u.exec(before)?.[1];
  if (address !== undefined && !event.fields.has('src_ip')) addField(event, 'src_ip', address);
  const status = /^\s{0,2}"?\s?(\d{3})(?=\s|$)/u.exec(after)?.[1] ?? / (\d{3}) \d/u.exec(before)?.[1];
  if (status !== undefined) addField(event, 'sc-status', status);
  const agent = /"((?:Mozilla|curl|python|Go-|Wget|okhttp)[^"]{0,1024})"/u.exec(after)?.[1];
  if (agent !== undefined) addField(event, 'c-useragent', agent);
  const known = event.sources;
  finishHttp(event);
  event.sources = [...known, ...event.sources];
  return true;
}
