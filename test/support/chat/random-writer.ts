/** Models without sense: they choose among the tokens a mask allows, each by a taste of its own. */
import type { TokenMask } from '../../../server/engine/grammar/token-mask.ts';
import type { Vocabulary } from '../../../server/engine/grammar/vocabulary.ts';

/** `any`: all alike. `blanks`: a blank wherever one may stand. `brief`: mostly what closes. `first`: the first token. */
export type Taste = 'any' | 'blanks' | 'brief' | 'first';
export const tastes: readonly Taste[] = ['any', 'blanks', 'brief', 'first'];

export interface Written {
  text: string;
  tokens: number;
  reason: 'stop' | 'length';
}

interface Habits {
  maxTokens: number;
  taste: Taste;
  next: () => number;
}

/** @throws Error at a dead end: a state in which no token may follow */
export function write(vocabulary: Vocabulary, mask: TokenMask, { maxTokens, taste, next }: Habits): Written {
  const bytes: number[] = [];
  const { blanks, closers } = kindsOf(vocabulary);
  const text = () => Buffer.from(bytes).toString();
  for (let tokens = 0; tokens < maxTokens; tokens += 1) {
    const allowed = mask.allowed()!;
    const may = (id: number) => (allowed[id >>> 5]! & (1 << (id & 31))) !== 0;
    const pick = (ids: readonly number[]) => {
      const from = Math.floor(next() * ids.length);
      for (let at = 0; at < ids.length; at += 1) {
        const id = ids[(from + at) % ids.length]!;
        if (may(id)) return id;
      }
      return undefined;
    };
    const end = vocabulary.endIds.find(may);
    const liked =
      taste === 'blanks'
        ? pick(blanks)
        : taste === 'brief' && next() < 0.8
          ? (end ?? pick(closers))
          : taste === 'any' && end !== undefined && next() < 0.3
            ? end
            : undefined;
    const id = liked ?? firstOrAny(vocabulary, taste, may, next);
    if (id === undefined) throw new Error(`dead end after ${JSON.stringify(text())}`);
    if (vocabulary.isEnd(id)) return { text: text(), tokens, reason: 'stop' };
    mask.accept(id);
    bytes.push(...vocabulary.bytesOf(id));
  }
  return { text: text(), tokens: maxTokens, reason: 'length' };
}

function firstOrAny(
  { size }: Vocabulary,
  taste: Taste,
  may: (id: number) => boolean,
  next: () => number,
): number | undefined {
  const from = taste === 'first' || taste === 'blanks' ? 0 : Math.floor(next() * size);
  for (let at = 0; at < size; at += 1) {
    const id = (from + at) % size;
    if (may(id)) return id;
  }
  return undefined;
}

interface Kinds {
  blanks: number[];
  closers: number[];
}

const known = new WeakMap<Vocabulary, Kinds>();

function kindsOf(vocabulary: Vocabulary): Kinds {
  let kinds = known.get(vocabulary);
  if (!kinds) {
    const ids = Array.from({ length: vocabulary.size }, (_, id) => id);
    const made = (pattern: RegExp) =>
      ids.filter((id) => pattern.test(Buffer.from(vocabulary.bytesOf(id)).toString('latin1')));
    kinds = { blanks: made(/^[ \t\r\n]+$/), closers: made(/^["}\]]+$/) };
    known.set(vocabulary, kinds);
  }
  return kinds;
}
