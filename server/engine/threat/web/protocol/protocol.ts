/** Requests that are odd as a whole: methods, headers, encodings. Each check names what it saw, never the payload. */
import type { Level } from '../../types.ts';
import { isPart, type WebRequest, type WebValue } from '../request/web-request.ts';
import type { WebKnowledge } from '../web-knowledge.ts';
import { forgedChanges, hasUnsignedToken, isCrossSite, leadsAway, namesOtherSite } from './forged.ts';
import { hasOddPartName } from './multipart.ts';
import { isMalformedNegotiation, isOddHeaderSet } from './negotiation.ts';
import { includesRemote, namesClass, runsCommand, setsServerVariable } from './parameters.ts';
import { isForeignSession, isLooseSession } from './session-fixation.ts';
import { isChangedNumber, isFlooded, isFormatString, isSourceProbe } from './tampering.ts';

export interface ProtocolHit {
  id: string;
  title: string;
  level: Level;
  /** Each bears the finding out, where it is not the request as a whole. */
  values?: readonly WebValue[];
}

interface ProtocolContext {
  /** A command line that a parameter made for one may hold (parameters.ts). */
  command: RegExp;
  knowledge: WebKnowledge;
}

interface Check extends Omit<ProtocolHit, 'values'> {
  test(request: WebRequest, context: ProtocolContext): boolean | readonly WebValue[];
}

const METHODS = new Set([
  '',
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'REPORT',
  'SEARCH',
  'PURGE',
  'CONNECT',
  // Logs of FTP are written in the form of those of the web.
  'STOR',
  'RETR',
  'APPE',
  'LIST',
  'MLSD',
  'NLST',
]);
const MEDIA_TYPE =
  /^[\w.+*-]{1,64}\/[\w.+*-]{1,96}(?:\s?;\s?[\w-]{1,32}=(?:"[^"]{0,96}"|[\w.+*/:_='?(),-]{0,96}))*$/u;
const AMBIGUOUS_TYPES =
  /^(?:application\/(?:x-amf|soap\+xml-x|octet-stream-x)|text\/(?:x-|html-)|application$|text$)/u;
const RESTRICTED_HEADERS = [
  'proxy',
  'lock-token',
  'if',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'x-middleware-subrequest',
  'request-range',
  'content-encoding',
];

/** Encodings in which programs send a body. */
const PACKED = /^(?:gzip|deflate|br|zstd|identity|aes128gcm)$/iu;

/** A line that a server or browser takes for a header; prose has lines with colons too. */
const HEADER_LINE =
  /[\r\n]\s?(?:(?:set-cookie2?|content-[a-z-]{3,20}|transfer-encoding|x-[a-z-]{2,40}|access-control-[a-z-]{3,20}|user-agent|cache-control)\s?:|host\s?:\s?[\w-]+[.:]|location\s?:\s?(?:\w{2,8}:)?\/|refresh\s?:\s?\d|http\/\d)/iu;

const ANY_HEADER_LINE = /[\r\n]\s?[\w-]{2,40}\s?:\s?\S/u;
/** Parameters in which people write more than a line. */
const TEXT: ReadonlySet<string> = new Set(['query', 'value', 'body']);

/** Two layers hide something, unless an address is handed on inside an address. */
function isEncodedTwice({ place, raw, decoded }: WebValue): boolean {
  return (
    (place === 'value' || place === 'path' || place === 'name') &&
    /%25[0-9a-f]{2}/iu.test(raw) &&
    !/^(?:https?:)?\/{1,2}\w|https?:\/\//iu.test(decoded)
  );
}

const CHECKS: readonly Check[] = [
  {
    id: 'web-protocol-method',
    title: 'Request method that applications do not use',
    level: 'medium',
    test: (r) => !METHODS.has(r.method) || r.method === 'TRACE' || r.method === 'TRACK',
  },
  {
    id: 'web-protocol-override',
    title: 'Request method overridden by a parameter',
    level: 'medium',
    test: (r) =>
      // Frameworks of Ruby and PHP send it in forms; in an address it is a forgery.
      /[?&]_method=[a-z]{3,10}(?:&|$)/iu.test(r.uri),
  },
  {
    id: 'web-protocol-null',
    title: 'Null or control byte in a request',
    level: 'medium',
    test: (r) =>
      /%0[0-8bcef]|%7f/iu.test(r.uri) ||
      r.values.some(
        (v) => v.place !== 'body' && /(?![\t\n\r\u0080-\u009f])\p{Cc}/u.test(v.decoded) && !isPart(v),
      ),
  },
  {
    id: 'web-protocol-encoding',
    title: 'Invalid or repeated percent encoding',
    level: 'medium',
    test: (r) =>
      /%(?![0-9a-fu][0-9a-f])/iu.test(r.uri.replace(/%%/gu, '')) ||
      r.values.some((v) => isEncodedTwice(v)) ||
      /%u[0-9a-f]{4}/iu.test(r.uri) ||
      // Long forms of short characters; alone such a byte is a letter of Latin-1.
      /%(?:c[01]%[89ab][0-9a-f]|e0%80|f0%80%80|f8%8|fc%8)/iu.test(r.uri),
  },
  {
    id: 'web-protocol-crlf',
    title: 'Line break followed by a header in a parameter',
    level: 'high',
    test: (r) =>
      r.values.some(
        (v) =>
          v.place !== 'body' &&
          !isPart(v) &&
          (TEXT.has(v.place) ? HEADER_LINE : ANY_HEADER_LINE).test(v.decoded),
      ) || /%0[ad]/iu.test(r.uri.split('?')[0] ?? ''),
  },
  {
    id: 'web-protocol-media-type',
    title: 'Content type that is malformed or meant to confuse',
    level: 'medium',
    test: (r) =>
      r.contentType !== '' &&
      (!MEDIA_TYPE.test(r.contentType) ||
        AMBIGUOUS_TYPES.test(r.contentType) ||
        /charset.*charset/u.test(r.contentType) ||
        (r.contentType.includes('boundary=') && !r.contentType.startsWith('multipart/'))),
  },
  {
    id: 'web-protocol-header',
    title: 'Header that changes what the server believes was asked',
    level: 'medium',
    test: (r) =>
      RESTRICTED_HEADERS.some(
        (name) =>
          r.headers.has(name) && !(name === 'content-encoding' && PACKED.test(r.headers.get(name) ?? '')),
      ),
  },
  {
    id: 'web-protocol-smuggling',
    title: 'Body length given twice',
    level: 'high',
    test: (r) =>
      r.headers.has('transfer-encoding') &&
      (r.headers.has('content-length') ||
        !/^(?:chunked|gzip, chunked)$/iu.test(r.headers.get('transfer-encoding') ?? '')),
  },
  {
    id: 'web-protocol-length',
    title: 'Malformed Content-Length',
    level: 'medium',
    test: (r) =>
      r.headers.has('content-length') && !/^\d{1,15}$/u.test(r.headers.get('content-length') ?? ''),
  },
  {
    id: 'web-protocol-range',
    title: 'Range header asking for too many or overlapping parts',
    level: 'medium',
    test: (r) => {
      const range = r.headers.get('range') ?? '';
      return isWasteful(range) || /(?:^|=|,)\s?(\d{6,})-(\d{1,5})(?!\d)|\d{19}/u.test(range);
    },
  },
  {
    id: 'web-protocol-hidden-file',
    title: 'Request for a hidden file or folder',
    level: 'medium',
    test: (r) =>
      (r.uri.split('?')[0] ?? '')
        .split('/')
        .some((part) => /^\.[a-z]/iu.test(part) && !/^\.(?:well-known|github)$/iu.test(part)),
  },
  {
    id: 'web-protocol-negotiation',
    title: 'Malformed negotiation header',
    level: 'low',
    test: isMalformedNegotiation,
  },
  {
    id: 'web-protocol-headers',
    title: 'Headers that are empty or contradict each other',
    level: 'medium',
    test: isOddHeaderSet,
  },
  {
    id: 'web-session-loose',
    title: 'Session id in the address of a request without a referring page',
    level: 'medium',
    test: isLooseSession,
  },
  {
    id: 'web-session-foreign',
    title: 'Session id in a request that another site links to',
    level: 'high',
    test: isForeignSession,
  },
  {
    id: 'web-protocol-multipart',
    title: 'Multipart file name meant to slip past filters',
    level: 'medium',
    test: hasOddPartName,
  },
  {
    id: 'web-protocol-brackets',
    title: 'Parameter name with brackets that only one side would understand',
    level: 'medium',
    test: (r) =>
      r.values.some(
        (v) =>
          v.place === 'name' &&
          v.name.length < 200 &&
          /^\w{1,64}(?:\[[^\]]*\])+[^[\].=\s]|\[\[/u.test(v.decoded),
      ),
  },
  {
    id: 'web-protocol-line-break',
    title: 'Line break inside the address',
    level: 'medium',
    test: (r) =>
      /%0[ad]/iu.test(r.uri.replace(/=[^&]*/gu, '=')) || /=%0[ad]|%0d(?!%0a)|(?<!%0d)%0a%0d/iu.test(r.uri),
  },
  {
    id: 'web-protocol-body-encoding',
    title: 'Form body with invalid percent encoding',
    level: 'medium',
    test: (r) =>
      r.contentType.includes('x-www-form-urlencoded') && /%(?![0-9a-f]{2}|u[0-9a-f]{4})/iu.test(r.body),
  },
  {
    id: 'web-protocol-body',
    title: 'Body in a request that has none by its method',
    level: 'low',
    test: (r) =>
      (r.method === 'GET' || r.method === 'HEAD') && r.body.trim() !== '' && !r.contentType.includes('json'),
  },
  {
    id: 'web-protocol-form-body',
    title: 'Form in the body of a request that has none by its method',
    level: 'medium',
    test: (r) =>
      (r.method === 'GET' || r.method === 'HEAD') &&
      r.body.trim() !== '' &&
      (r.contentType.includes('x-www-form-urlencoded') || r.headers.has('transfer-encoding')),
  },
  {
    id: 'web-protocol-host',
    title: 'Host header that is an address: clients that walk address ranges ask so',
    level: 'medium',
    test: (r) =>
      r.event.format === 'http-request' &&
      /^(?!127\.|169\.254\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu.test(
        r.event.fields.get('cs-host')?.[0] ?? '',
      ),
  },
  {
    id: 'web-protocol-size',
    title: 'Parameter far longer, or far more parameters, than applications take',
    level: 'medium',
    test: (r) =>
      r.values.filter((v) => v.place === 'name').length > 255 ||
      r.values.some((v) => v.place === 'name' && v.raw.length > 100),
  },
  {
    id: 'web-session-unsigned',
    title: 'Token that says of itself that nobody signed it',
    level: 'high',
    test: (request, { knowledge }) => hasUnsignedToken(request, knowledge),
  },
  {
    id: 'web-session-cross-site',
    title: 'Change sent by a page of another site with the cookie of its reader',
    level: 'medium',
    test: isCrossSite,
  },
  {
    id: 'web-session-led-away',
    title: 'Redirect to another host dressed up as the own',
    level: 'medium',
    test: (request, { knowledge }) => leadsAway(request, knowledge),
  },
  {
    id: 'web-protocol-other-site',
    title: 'Password reset asked for under the name of another site',
    level: 'medium',
    test: (request, { knowledge }) => namesOtherSite(request, knowledge),
  },
  {
    id: 'web-tamper-number',
    title: 'Number parameter with characters that no number has',
    level: 'medium',
    test: isChangedNumber,
  },
  {
    id: 'web-tamper-flood',
    title: 'Value that repeats one character hundreds of times',
    level: 'medium',
    test: isFlooded,
  },
  {
    id: 'web-tamper-format',
    title: 'Value of printf directives',
    level: 'medium',
    test: isFormatString,
  },
  {
    id: 'web-tamper-source',
    title: 'Request for the source or a copy of a page',
    level: 'medium',
    test: isSourceProbe,
  },
  {
    id: 'web-rce-parameter',
    title: 'Command injection: command in a parameter made for one',
    level: 'high',
    test: runsCommand,
  },
  {
    id: 'web-java-type',
    title: 'Java or .NET injection: class named for a JSON reader',
    level: 'high',
    test: namesClass,
  },
  {
    id: 'web-php-variable-name',
    title: 'Server variable set by a parameter',
    level: 'high',
    test: setsServerVariable,
  },
  {
    id: 'web-rfi-parameter',
    title: 'Remote file inclusion: file parameter that names another host',
    level: 'high',
    test: includesRemote,
  },
];

/** Many parts of a few bytes each, or parts that overlap: readers of PDF and download managers ask for neither. */
function isWasteful(range: string): boolean {
  const parts = [...range.matchAll(/(\d{0,18})-(\d{0,18})/gu)].map(
    ([, from, to]) => [Number(from || 0), Number(to || from || 0)] as const,
  );
  if (parts.length < 6) return false;
  const tiny = parts.filter(([from, to]) => to - from < 10).length;
  const overlapping = parts.filter(([from, to], i) =>
    parts.some(([a, b], j) => i < j && a <= to && from <= b),
  ).length;
  return tiny >= 5 || overlapping >= 3;
}

export function protocolHits(request: WebRequest, context: ProtocolContext): ProtocolHit[] {
  const forged = forgedChanges(request, context.knowledge);
  const hits = CHECKS.flatMap(({ id, title, level, test }): ProtocolHit[] => {
    const seen = test(request, context);
    if (typeof seen === 'boolean') return seen ? [{ id, title, level }] : [];
    return seen.length > 0 ? [{ id, title, level, values: seen }] : [];
  });
  return [...hits, ...forged.map(({ id, title, level }) => ({ id, title, level }))];
}
