/**
 * Words of a request that make a finding in it doubtful, and how far. Reports, lessons and posts quote attacks in a body, those who run a
 * service ask for its paths, and a log says what became of a request. Who sends one chooses its words: what stands in an address, what
 * is critical and what would run inside any text is believed.
 */
import type { LogEvent } from '../readers/event.ts';
import type { Level } from '../types.ts';
import { isRequest, type WebRequest, type WebValue } from './request/web-request.ts';
import type { WebKnowledge } from './web-knowledge.ts';

/** Words of a body from which it speaks: a payload alone has fewer. */
const LEAST_WORDS = 8;
const WORD = /\p{L}{2,}/gu;
const HAN = /\p{Script=Han}/gu;
/** Marks of encodings, whose letters are no words. */
const ESCAPE = /%[0-9a-f]{2}|\\[nrt]|\+/giu;

/** Files and paths of services: those who run them ask for these within the house, and a file that is sent is not asked for. */
const SERVICE_PATH = 'web-lfi-sensitive-file';
/** Addresses of the house, which its services name to each other. */
const INNER_ADDRESS = /^web-(?:ssrf-internal|rfi-include)$/u;

/** Probability below which words are believed over what stands in a body; in a tale of a request. */
const DOUBTED = 0.3;
const DOUBTED_TALE = 0.25;
/** The same for addresses of the house. */
const DOUBTED_INNER = 0.5;

/** Headers by which a client shows who it is. */
const CREDENTIALS = /^(?:authorization|private-token|api-?key|x-[\w-]*(?:token|key|signature|auth)[\w-]*)$/iu;

const isKnownCaller = ({ event, headers }: WebRequest): boolean =>
  event.fields.has('cs-cookie') || [...headers.keys()].some((name) => CREDENTIALS.test(name));

function hasWords(code: string): boolean {
  const text = code.replace(ESCAPE, ' ');
  return (text.match(WORD) ?? []).length + (text.match(HAN) ?? []).length / 2 >= LEAST_WORDS;
}

/** Words in a row, in a text that begins with one: a payload begins with what it closes and has few. */
const PROSE =
  /^\s{0,8}(?:<\w{1,10}>)?\p{L}(?:[^\n]{0,2000}?(?<![\p{L}\d])(?:\p{L}[\p{L}\d'’-]{0,40}[,.:]?\s{1,4}){2}\p{L}|[^\n]{0,2000}?\p{Script=Han}{4})/u;

const isText = ({ decoded }: WebValue): boolean => PROSE.test(decoded);

/** Parts of forms with files and documents are told apart by their syntax. */
const isField = ({ isBody, place, name }: WebValue) =>
  isBody && place === 'value' && name !== 'part' && name !== 'xml';

/** Attackers mostly send little besides: a body of several fields, or from a client with credentials, says more. */
function speaks(request: WebRequest): boolean {
  if (!hasWords(request.body)) return false;
  const fields = new Set(request.values.filter(isField).map(({ raw }) => raw));
  return fields.size > 1 || isKnownCaller(request);
}

const isInner = (event: LogEvent, { innerHosts }: WebKnowledge): boolean => {
  const [host] = event.fields.get('cs-host') ?? [];
  return host !== undefined && innerHosts?.test(host) === true;
};

/** The doubt about a finding; `value` bears it out, where it is not the request as a whole. */
export function doubts(
  request: WebRequest,
  knowledge: WebKnowledge,
): (hit: { id: string; level: Level }, value?: WebValue) => number {
  const { event, method } = request;
  if (!isRequest(event)) return ({ level }) => (level === 'critical' ? 0 : DOUBTED_TALE);
  let isSpeaking: boolean | undefined;
  const isWithin = isInner(event, knowledge);
  return ({ id, level }, value) => {
    if (id === SERVICE_PATH && (isWithin || method === 'PUT')) return DOUBTED;
    if (isWithin && INNER_ADDRESS.test(id)) return DOUBTED_INNER;
    // The words of other fields cast no doubt on a value that has none.
    if (level === 'critical' || value?.isBody !== true || value.place === 'name' || !isText(value)) return 0;
    if (knowledge.running?.test(value.decoded)) return 0;
    isSpeaking ??= speaks(request);
    return isSpeaking ? DOUBTED : 0;
  };
}
