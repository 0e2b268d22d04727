import type { Token } from './tokens.ts';

/**
 * Hashed features of a token: the word, its skeleton, character n-grams and its left neighbours. Training reads the
 * features this file writes (models/recipes/shield-starter), so there is one implementation; a pack pins `featureVersion`
 * and the number of buckets.
 */
export const featureVersion = 1;
/** Identifiers a token has at most; 0 pads. */
export const featuresPerToken = 18;

const longestWord = 24;

/** FNV-1a, 32 bits, over UTF-16 units, seeded by the kind of feature. */
function hash(kind: string, value: string): number {
  let state = 0x811c9dc5 ^ kind.charCodeAt(0);
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    state = Math.imul(state ^ (unit & 0xff), 0x01000193);
    state = Math.imul(state ^ (unit >>> 8), 0x01000193);
  }
  state ^= state >>> 15;
  return Math.imul(state, 0x2c1b3c6d) >>> 0;
}

/** Doubled letters written once: `killl`, `kill` and `kil` meet. */
function skeleton(form: string): string {
  // Most words have none, and this runs four times a token.
  for (let index = 1; index < form.length; index++) {
    const unit = form.charCodeAt(index);
    if (unit === form.charCodeAt(index - 1) || unit >= 0xd800) return form.replace(/(.)\1+/gu, '$1');
  }
  return form;
}

function wordFeatures(form: string, emit: (kind: string, value: string) => void): void {
  emit('w', form);
  const bare = skeleton(form);
  emit('s', bare);
  const framed = `<${bare.slice(0, longestWord)}>`;
  for (const size of [4, 3, 5]) {
    if (size >= framed.length && size > 3) continue;
    for (let at = 0; at + size <= framed.length; at++) emit('g', framed.slice(at, at + size));
  }
}

/** Writes the identifiers of token `index` to `target` from `at`; the most telling come first, the rest is cut. */
function writeFeatures(
  tokens: Token[],
  index: number,
  write: (slot: number, id: number) => void,
  buckets: number,
): void {
  const token = tokens[index];
  if (token === undefined) return;
  let slot = 0;
  const emit = (kind: string, value: string): void => {
    if (slot < featuresPerToken) write(slot++, (hash(kind, value) % (buckets - 1)) + 1);
  };
  const left = tokens[index - 1]?.form ?? '^';
  const second = tokens[index - 2]?.form ?? '^';
  if (token.han) {
    emit('w', token.form);
    emit('b', left + token.form);
    emit('t', second + left + token.form);
    emit('k', `${second}_${token.form}`);
    const third = tokens[index - 3]?.form ?? '^';
    emit('q', third + second + left + token.form);
    return;
  }
  emit('b', `${skeleton(left)} ${skeleton(token.form)}`);
  emit('k', `${skeleton(second)} _ ${skeleton(token.form)}`);
  wordFeatures(token.form, emit);
}

/** Features of tokens [from, to) as a dense row-major block of `length` × featuresPerToken. */
export function featureBlock(tokens: Token[], length: number, buckets: number): Int32Array {
  const block = new Int32Array(length * featuresPerToken);
  const count = Math.min(tokens.length, length);
  for (let index = 0; index < count; index++) {
    writeFeatures(
      tokens,
      index,
      (slot, id) => {
        block[index * featuresPerToken + slot] = id;
      },
      buckets,
    );
  }
  return block;
}

/** The distinct features of a block, each by 1 + ln(count), scaled to length one: what a linear model votes over. */
export interface FeatureBag {
  ids: Int32Array;
  values: Float32Array;
}

export function bagOfFeatures(block: Int32Array): FeatureBag {
  const counts = new Map<number, number>();
  for (const id of block) if (id > 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  const weights = Float32Array.from(counts.values(), (count) => 1 + Math.log(count));
  const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return { ids: Int32Array.from(counts.keys()), values: weights.map((weight) => weight / length) };
}
