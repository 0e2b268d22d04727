/** Signs that stand for personal data, one for one value: `[EMAIL_1]`, or `[EMAIL_0a1b2c3d]` where a digest names it. */
import type { PersonalSpan } from './personal-spans.ts';

export interface PseudonymOptions {
  /** Names a value without a count; the same in every text. */
  digest?: (value: string) => string;
  /** Signs that a text has by itself, which stand for nothing. */
  taken?: ReadonlySet<string>;
}

/** `email` → `EMAIL` */
export const signName = (kind: string): string => kind.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

export class Pseudonyms {
  /** Sign → the value as it was first written. */
  readonly values = new Map<string, string>();
  readonly #signs = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #options: PseudonymOptions;

  constructor(options: PseudonymOptions = {}) {
    this.#options = options;
  }

  /** Spaces and case do not part one person from another. */
  of(kind: string, value: string): string {
    const plain = value.toLowerCase().replace(/\s+/g, ' ').trim();
    const id = JSON.stringify([kind, plain]);
    const known = this.#signs.get(id);
    if (known !== undefined) return known;
    const sign = this.#next(signName(kind), plain);
    this.#signs.set(id, sign);
    this.values.set(sign, value);
    return sign;
  }

  #next(name: string, plain: string): string {
    const { digest, taken } = this.#options;
    if (digest) return `[${name}_${digest(plain)}]`;
    let count = this.#counts.get(name) ?? 0;
    let sign: string;
    do {
      count += 1;
      sign = `[${name}_${count}]`;
    } while (taken?.has(sign));
    this.#counts.set(name, count);
    return sign;
  }
}

/** The text with each span replaced, and what stands between by `between`; spans are in order, none over another. */
export function replaceSpans<Span extends PersonalSpan>(
  text: string,
  spans: readonly Span[],
  { inside, between = (gap) => gap }: { inside: (span: Span) => string; between?: (gap: string) => string },
): string {
  let [replaced, end] = ['', 0];
  for (const span of spans) {
    replaced += between(text.slice(end, span.start)) + inside(span);
    end = span.end;
  }
  return replaced + between(text.slice(end));
}
