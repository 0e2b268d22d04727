/**
 * The text as it reads once defanging (`hxxp`, `[.]`, `(at)`) and JSON escapes are undone, with the way back to where each
 * character stood, so that offsets stay exact.
 */
import type { LogEvent } from '../readers/event.ts';

export interface RefangedText {
  text: string;
  /** Index into `text` → offset in the original; one more entry than characters. */
  origin: Int32Array;
  /** Index into `text` → 1 where the character came from a defanged form. */
  defanged: Uint8Array;
}

const DEFANGED =
  /\bh[xX*]{2}p(s?)(?=[:[(\\])|\bmeow(s?)(?=:\/\/)|\bfxp(?=s?(?:\[|:))|[[({<]\s?(?:\.|dot|DOT|d0t)\s?[\])}>]|\s?[[({]\s?(?:@|at|AT)\s?[\])}]\s?|[[(]\s?:\s?[\])]|[[(]:\/\/[\])]|[[(]\/[\])]|(?<=[a-z0-9])\[\.(?=[a-z0-9])|(?<=[a-z0-9])\.\](?=[a-z0-9])|(?<=[A-Za-z0-9])\\\.(?=[A-Za-z0-9])/gu;

function refangToken(token: string): string {
  if (/^h/iu.test(token)) return `http${/s$/iu.test(token) ? 's' : ''}`;
  if (/^meow/u.test(token)) return token.endsWith('s') ? 'https' : 'http';
  if (/^fxp/u.test(token)) return 'ftp';
  if (/@|at/iu.test(token)) return '@';
  if (token.includes('://')) return '://';
  if (token.includes(':')) return ':';
  if (token.includes('/')) return '/';
  return '.';
}

class Builder {
  readonly #parts: string[] = [];
  readonly #origin: Int32Array;
  readonly #defanged: Uint8Array;
  #length = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
    this.#origin = new Int32Array(text.length + 64);
    this.#defanged = new Uint8Array(text.length + 64);
  }

  copy(from: number, to: number): void {
    for (let i = from; i < to; i += 1) this.#origin[this.#length + i - from] = i;
    this.#parts.push(this.#text.slice(from, to));
    this.#length += to - from;
  }

  replace(at: number, text: string, defanged: boolean): void {
    for (let i = 0; i < text.length; i += 1) {
      this.#origin[this.#length] = at;
      this.#defanged[this.#length] = defanged ? 1 : 0;
      this.#length += 1;
    }
    this.#parts.push(text);
  }

  build(): RefangedText {
    this.#origin[this.#length] = this.#text.length;
    return { text: this.#parts.join(''), origin: this.#origin, defanged: this.#defanged };
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: ' ',
  f: ' ',
  '"': '"',
  '\\': '\\',
  '/': '/',
};
const TOKEN = new RegExp(`(\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))|${DEFANGED.source}`, 'gu');

/** Backslash escapes mean something only inside JSON; elsewhere a backslash is a path. */
export function refang(text: string, events: readonly LogEvent[]): RefangedText {
  const builder = new Builder(text);
  const isJson = jsonRanges(events);
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const escaped = match[1];
    if (escaped !== undefined && !isJson(match.index)) continue;
    builder.copy(from, match.index);
    if (escaped !== undefined) builder.replace(match.index, unescapeJson(escaped), false);
    else builder.replace(match.index, refangToken(match[0]), true);
    from = match.index + match[0].length;
  }
  builder.copy(from, text.length);
  return builder.build();
}

function unescapeJson(escaped: string): string {
  return escaped[1] === 'u'
    ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16))
    : (ESCAPES[escaped[1] as string] as string);
}

/** Matches come in order, so one cursor over the events is enough. */
function jsonRanges(events: readonly LogEvent[]): (offset: number) => boolean {
  let at = 0;
  return (offset) => {
    while (at < events.length && (events[at] as LogEvent).end <= offset) at += 1;
    const event = events[at];
    return event !== undefined && event.start <= offset && event.raw.startsWith('{');
  };
}

/** Span in the original of [start, end) of the refanged text. */
export function originSpan(
  refanged: RefangedText,
  start: number,
  end: number,
): { start: number; end: number; defanged: boolean } {
  const first = refanged.origin[start] as number;
  const last = refanged.origin[end] as number;
  let defanged = false;
  for (let i = start; i < end && !defanged; i += 1) defanged = refanged.defanged[i] === 1;
  return { start: first, end: last, defanged };
}
