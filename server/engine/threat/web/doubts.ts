/**
 * Words of a request that make a finding in it doubtful, and how far. Reports, lessons and posts quote attacks in a body, those who run a
 * service ask for its paths, and a log says what became of a request. Who sends one chooses its words: what stands in an address, what
 * is critical and what would run inside any text is believed.
 */
import type { LogEvent } from '../readers/event.ts';
import { isInner as isInnerAddress } from '../text/marks.ts';
import type { Level } from '../types.ts';
import { decodeValue } from './request/decode.ts';
import { isRequest, type RequestPart, type WebRequest, type WebValue } from './request/web-request.ts';
import type { Purpose, WebKnowledge } from './web-knowledge.ts';

/** Words of a body from which it speaks: a payload alone has fewer. */
const LEAST_WORDS = 8;
/** Words from which a body that is no form speaks, whoever sends it. */
const MANY_WORDS = 16;
const WORD = /\p{L}{2,}/gu;
const HAN = /\p{Script=Han}/gu;
/** Marks of encodings, whose letters are no words. */
const ESCAPE = /%[0-9a-f]{2}|\\[nrt]|\+/giu;

/** Probability below which words are believed over what stands in a body; in a tale of a request. */
export const DOUBTED_BODY = 0.3;
export const DOUBTED_TALE = 0.25;

const isKnownCaller = ({ event, headers }: WebRequest, { credentials }: WebKnowledge): boolean =>
  event.fields.has('cs-cookie') || [...headers.keys()].some((name) => credentials?.test(name));

function wordsOf(code: string): number {
  const text = code.replace(ESCAPE, ' ');
  return (text.match(WORD) ?? []).length + (text.match(HAN) ?? []).length / 2;
}

/**
 * Words in a row, in a text that begins with one or with a mark of a heading or list: a payload begins with what it closes and has few.
 * A statement is none.
 */
const PROSE =
  /^\s{0,8}(?:<\w{1,10}>|#{1,6} |[*>-] )?(?=\p{L})(?!(?:select|insert into|update \w+ set|delete from|union|drop|exec\w*|declare)\b)(?:[\s\S]{0,2000}?(?<![\p{L}\d])(?:\p{L}[\p{L}\d'’-]{0,40}[,.:]? {1,4}){2}\p{L}|[\s\S]{0,2000}?\p{Script=Han}{4})/u;

const isText = ({ decoded }: WebValue): boolean => PROSE.test(decoded);

/** Words in a row before the first mark of code: what is closed or parted first is no text, whatever follows. */
const LEADING_WORDS =
  /^\s{0,8}(?:<\w{1,10}>|#{1,6} |[*>-] )?[^;|&`$<>{}[\]\n]{0,200}?(?<![\p{L}\d])(?:(?:\p{L}[\p{L}\d'’-]{0,40}[,.:]? {1,4}){2}\p{L}|\p{Script=Han}{4})/u;

const speaksFirst = (value: WebValue): boolean =>
  isText(value) && LEADING_WORDS.test(value.decoded) && wordsOf(value.decoded) >= LEAST_WORDS;

/** Documents are told apart by their syntax. */
const isField = ({ isBody, place, name }: WebValue) => isBody && place === 'value' && name !== 'xml';

/** Somebody wrote it: a field, or a whole body of no form. */
const isWritten = (value: WebValue) => isField(value) || (value.isBody && value.place === 'body');

/** Attackers mostly send little besides: a body of several fields, or from a client with credentials, says more. */
function speaks(request: WebRequest, knowledge: WebKnowledge): boolean {
  const fields = request.values.filter(isField);
  const whole = request.values.find(({ isBody, place }) => isBody && place === 'body');
  if (whole !== undefined && wordsOf(whole.decoded) >= MANY_WORDS) return true;
  if (
    wordsOf(request.body) < LEAST_WORDS &&
    wordsOf(fields.map(({ decoded }) => decoded).join(' ')) < LEAST_WORDS
  )
    return false;
  return new Set(fields.map(({ raw }) => raw)).size > 1 || isKnownCaller(request, knowledge);
}

/** Words of a path from which it says what it is for, and of all that stands around a value. */
const [LEAST_PATH_WORDS, LEAST_AROUND] = [2, 4];
/** Places of which people write the words; headers are written by programs. */
const WRITTEN: ReadonlySet<RequestPart> = new Set(['path', 'value', 'body']);

/** Numbers of words: of the path, of all that is said, of what has the same raw value. */
interface Said {
  path: number;
  all: number;
  byRaw: Map<string, number>;
}

function saidIn({ values }: WebRequest): Said {
  const said: Said = { path: 0, all: 0, byRaw: new Map() };
  for (const { place, raw, decoded } of values) {
    if (place !== 'path' && place !== 'name' && place !== 'value') continue;
    const words = wordsOf(decoded);
    if (place === 'path') said.path += words;
    said.all += words;
    said.byRaw.set(raw, words + (said.byRaw.get(raw) ?? 0));
  }
  return said;
}

/** A path of words, and words enough around the value: tools that try holes send a payload to a place of one word. */
const isWorded = ({ path, all, byRaw }: Said, value: WebValue | undefined): boolean =>
  path >= LEAST_PATH_WORDS &&
  all >= LEAST_WORDS &&
  (value === undefined || (WRITTEN.has(value.place) && all - (byRaw.get(value.raw) ?? 0) >= LEAST_AROUND));

const isInner = (event: LogEvent, { innerHosts }: WebKnowledge): boolean => {
  const [host] = event.fields.get('cs-host') ?? [];
  return host !== undefined && innerHosts?.test(host) === true;
};

export interface Doubt {
  /** Probability of the words below which the finding is doubtful. */
  below: number;
  /** A higher one, where the request with nothing but what bears the finding out is everyday as well. */
  worded?: { below: number; core: string };
}

/** The request with nothing but what bears the finding out. */
const coreOf = ({ method, uri }: WebRequest, value: WebValue | undefined): string =>
  `${method} ${uri.split('?', 1)[0]}${value === undefined ? '' : `?${value.name}=${value.raw}`} HTTP/1.1`;

/** The doubt about a finding; `value` bears it out, where it is not the request as a whole. */
export function doubts(
  request: WebRequest,
  knowledge: WebKnowledge,
): (hit: { id: string; level: Level }, value?: WebValue) => Doubt {
  const { event } = request;
  if (!isRequest(event)) return ({ level }) => ({ below: level === 'critical' ? 0 : DOUBTED_TALE });
  let isSpeaking: boolean | undefined;
  let purposes: Purpose[] | undefined;
  let said: Said | undefined;
  const told = () => {
    said ??= saidIn(request);
    return said;
  };
  const hasSaid = () => {
    isSpeaking ??= speaks(request, knowledge);
    return isSpeaking;
  };
  return ({ id, level }, value) => {
    purposes ??= purposesOf(request, knowledge);
    const meant = purposes.filter(
      (each) =>
        covers(each, { id, level }, value) &&
        (each.speaks !== true || ((value === undefined || isWritten(value)) && hasSaid())) &&
        (each.whole === true || value === undefined || !knowledge.running?.test(value.decoded)),
    );
    const most = (of: readonly Purpose[]) => of.reduce((found, each) => Math.max(found, each.below), 0);
    const below = most(meant.filter(({ worded }) => worded !== true));
    if (below >= DOUBTED_BODY) return { below };
    // The words of other fields cast no doubt on a value that has none.
    const isQuoted =
      level !== 'critical' &&
      value?.isBody === true &&
      value.place !== 'name' &&
      isText(value) &&
      !knowledge.running?.test(value.decoded) &&
      hasSaid();
    if (isQuoted) return { below: DOUBTED_BODY };
    const worded = most(meant);
    if (worded <= below || !isWorded(told(), value)) return { below };
    return { below, worded: { below: worded, core: coreOf(request, value) } };
  };
}

const fromInside = ({ event }: WebRequest): boolean => isInnerAddress(event.fields.get('c-ip')?.[0] ?? '');

function purposesOf(request: WebRequest, knowledge: WebKnowledge): Purpose[] {
  const path = request.uri.replace(/^https?:\/\/[^/?#]{0,255}/iu, '').split('?')[0] as string;
  // A server decodes the path before it looks for the script, which has no purpose but to run.
  const isScript = knowledge.interpreted?.test(decodeValue(path, false).text) === true;
  const isWithin = isInner(request.event, knowledge);
  return knowledge.purposes.filter(
    (purpose) =>
      (!isScript || purpose.speaks === true || purpose.agent !== undefined) &&
      (purpose.path?.test(path) ?? true) &&
      (purpose.methods?.includes(request.method) ?? true) &&
      (isWithin || purpose.inner !== true) &&
      (purpose.agent === undefined ||
        (fromInside(request) && purpose.agent.test(request.event.fields.get('c-useragent')?.[0] ?? ''))) &&
      (purpose.credentials !== true || isKnownCaller(request, knowledge)),
  );
}

const covers = (
  { findings, critical, body, text, names, other, except }: Purpose,
  { id, level }: { id: string; level: Level },
  value: WebValue | undefined,
): boolean =>
  findings.test(id) &&
  (critical === true || level !== 'critical') &&
  (body !== true || value?.isBody === true) &&
  (text !== true || ((value?.place === 'value' || value?.place === 'body') && speaksFirst(value))) &&
  (names === undefined || (value?.place === 'value' && names.test(value.name))) &&
  !(value !== undefined && (value.place === 'name' || other?.test(value.name)) && other !== undefined) &&
  !(value !== undefined && except?.test(value.decoded));
