/**
 * Trains the tagger of names and places: node train.ts --work DIR [--stage data|train]; evaluate.ts writes it into the pack.
 *
 * Multinomial logistic regression over hashed features of each token (AdaGrad), the same features that the engine reads. Features
 * that tell the word itself are left out for some tokens, so that context is learnt too.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  entityFeatures,
  entityFeatureVersion,
  identityFeatures,
} from '../../../server/engine/moderation/pii/entities/entity-features.ts';
import { entityKinds, entityTagCount } from '../../../server/engine/moderation/pii/entities/entity-tagger.ts';
import { entityTokens } from '../../../server/engine/moderation/pii/entities/entity-tokens.ts';
import { createChance } from '../../../test/support/documents/specimens/chance.ts';
import { expand, type Labelled, type Language, languages, readLines, withNoise } from './grammar.ts';
import { openSlots, type Side } from './slots.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
    texts: { type: 'string', default: '14000' },
    epochs: { type: 'string', default: '1' },
    stage: { type: 'string', default: 'all' },
    buckets: { type: 'string', default: String(1 << 19) },
  },
});
const buckets = Number(options.buckets);
const sources = {
  lists: `${options.work}/lists.json`,
  wordnet: `${options.work}/corpora/usr/share/wordnet`,
  shared: options.shared,
};
/** Share of the tokens that are learnt without the features of the word itself. */
const hiddenWords = { named: 0.3, other: 0.08 };
/** Share of the texts that are sentences of people and name nobody. */
const naturalShare = 0.3;
const rate = 0.12;

export function texts(
  language: Language,
  side: Side,
  { from, count, seed }: { from: string; count: number; seed: number },
): Labelled[] {
  const chance = createChance(seed);
  const slots = openSlots(language, side, sources);
  const templates = readLines(`${from}/${language}.txt`);
  return Array.from({ length: count }, (_, at) => {
    const natural = chance.happens(naturalShare);
    const made = expand(natural ? '{natural}' : templates[at % templates.length]!, language, slots, chance);
    // Some texts hold several of them: a span's line is not its whole context.
    return withNoise(
      chance.happens(0.25)
        ? joined(
            made,
            expand(chance.happens(0.5) ? '{natural}' : chance.pick(templates), language, slots, chance),
            chance,
          )
        : made,
      chance,
    );
  });
}

function joined(a: Labelled, b: Labelled, { pick }: { pick(list: readonly string[]): string }): Labelled {
  const between = pick(a.language === 'zh' ? ['\n', '', '，'] : ['\n', ' ', '. ']);
  const offset = a.text.length + between.length;
  return {
    ...a,
    text: a.text + between + b.text,
    spans: [
      ...a.spans,
      ...b.spans.map((span) => ({ ...span, start: span.start + offset, end: span.end + offset })),
    ],
  };
}

interface Rows {
  /** Features of all tokens one after the other: token `at` has `lengths[at]` of them from `at * widest` on. */
  ids: Int32Array;
  lengths: Uint8Array;
  tags: Uint8Array;
}

const widest = 56;

function toRows(all: readonly Labelled[]): Rows {
  const count = all.reduce((sum, { text }) => sum + entityTokens(text).length, 0);
  const rows = {
    ids: new Int32Array(count * widest),
    lengths: new Uint8Array(count),
    tags: new Uint8Array(count),
  };
  let at = 0;
  for (const { text, spans } of all) {
    const tokens = entityTokens(text);
    const features = entityFeatures(tokens, buckets);
    let last: Labelled['spans'][number] | undefined;
    for (const [index, token] of tokens.entries()) {
      const span = spans.find(({ start, end }) => token.start >= start && token.end <= end);
      rows.tags[at] = span ? 2 * entityKinds.indexOf(span.kind) + (span === last ? 2 : 1) : 0;
      rows.ids.set(features[index]!, at * widest);
      rows.lengths[at++] = features[index]!.length;
      last = span;
    }
  }
  return rows;
}

/** @param keep what is learnt so far, after each epoch: a stopped run has its last one */
function learn({ ids, lengths, tags }: Rows, epochs: number, keep: (weights: Float32Array) => void): void {
  const weights = new Float32Array(buckets * entityTagCount);
  const squares = new Float32Array(buckets * entityTagCount).fill(0.01);
  const chance = createChance(7);
  const logits = new Float64Array(entityTagCount);
  /** Where the weights lie of the features that this token is learnt with. */
  const active = new Int32Array(widest + 1);
  for (let epoch = 0; epoch < epochs; epoch++) {
    let [loss, wrong] = [0, 0];
    const began = process.cpuUsage().user;
    const pace = rate / (1 + epoch);
    for (let step = 0; step < tags.length; step++) {
      // A walk by a prime visits every row once, in an order that is not that of the texts.
      const at = (step * 7_368_787 + epoch * 13) % tags.length;
      const hidden = chance.happens(tags[at]! > 0 ? hiddenWords.named : hiddenWords.other);
      // The bias, which is in row 0, is always there.
      let count = 1;
      for (let f = at * widest + (hidden ? identityFeatures : 0); f < at * widest + lengths[at]!; f++)
        active[count++] = ids[f]! * entityTagCount;
      logits.fill(0);
      for (let f = 0; f < count; f++) {
        const row = active[f]!;
        for (let tag = 0; tag < entityTagCount; tag++) logits[tag]! += weights[row + tag]!;
      }
      let most = logits[0]!;
      for (let tag = 1; tag < entityTagCount; tag++) if (logits[tag]! > most) most = logits[tag]!;
      let total = 0;
      for (let tag = 0; tag < entityTagCount; tag++) total += logits[tag] = Math.exp(logits[tag]! - most);
      const truth = tags[at]!;
      const odds = logits[truth]! / total;
      loss -= Math.log(odds + 1e-9);
      if (odds < 0.5) wrong++;
      if (odds > 0.998) continue;
      for (let tag = 0; tag < entityTagCount; tag++) {
        const slope = logits[tag]! / total - (tag === truth ? 1 : 0);
        if (Math.abs(slope) < 1e-3) continue;
        for (let f = 0; f < count; f++) {
          const cell = active[f]! + tag;
          squares[cell]! += slope * slope;
          weights[cell]! -= (pace * slope) / Math.sqrt(squares[cell]!);
        }
      }
    }
    console.log(
      `epoch ${epoch + 1}: loss ${(loss / tags.length).toFixed(4)}, wrong ${(wrong / tags.length).toFixed(4)}, ${((process.cpuUsage().user - began) / 1e6).toFixed(0)} s of processor`,
    );
    keep(weights);
  }
}

/** Whole numbers and a scale for each tag; the few farthest weights are clipped. */
function quantized(weights: Float32Array): { whole: Int8Array; scales: number[] } {
  const whole = new Int8Array(weights.length);
  const scales = Array.from({ length: entityTagCount }, (_, tag) => {
    const sizes = Float32Array.from({ length: buckets }, (_, row) =>
      Math.abs(weights[row * entityTagCount + tag]!),
    ).sort();
    const scale = (sizes[Math.floor(buckets * 0.99995)]! || 1) / 127;
    for (let row = 0; row < buckets; row++) {
      const cell = row * entityTagCount + tag;
      whole[cell] = Math.max(-127, Math.min(127, Math.round(weights[cell]! / scale)));
    }
    return scale;
  });
  return { whole, scales };
}

/** Features of the texts, made once: training goes on from them after a stop. */
function prepare(): void {
  const count = Number(options.texts);
  const shares: Record<Language, number> = { en: 1.5, ms: 1, zh: 1.2 };
  const all = languages.flatMap((language, at) =>
    texts(language, 'train', {
      from: 'templates',
      count: Math.round(count * shares[language]),
      seed: 11 + at,
    }),
  );
  const { ids, lengths, tags } = toRows(all);
  for (const [name, values] of Object.entries({ ids, lengths, tags }))
    writeFileSync(`${options.work}/${name}.bin`, Buffer.from(values.buffer));
  console.log(`${all.length} texts, ${tags.length} tokens`);
}

function readRows(): Rows {
  const read = (name: string) => {
    const { buffer, byteOffset, length } = readFileSync(`${options.work}/${name}.bin`);
    return buffer.slice(byteOffset, byteOffset + length);
  };
  return {
    ids: new Int32Array(read('ids')),
    lengths: new Uint8Array(read('lengths')),
    tags: new Uint8Array(read('tags')),
  };
}

if (import.meta.main) {
  if (options.stage !== 'train' || !existsSync(`${options.work}/ids.bin`)) prepare();
  if (options.stage !== 'data') {
    learn(readRows(), Number(options.epochs), (weights) => {
      const { whole, scales } = quantized(weights);
      writeFileSync(`${options.work}/entities.bin`, whole);
      writeFileSync(
        `${options.work}/model.json`,
        JSON.stringify({ version: entityFeatureVersion, buckets, scales }),
      );
    });
  }
}
