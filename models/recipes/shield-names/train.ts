/**
 * Trains the tagger of names and places: node train.ts --work DIR; evaluate.ts writes it into the pack.
 *
 * Multinomial logistic regression over hashed features of each token (AdaGrad), the same features that the engine reads. Features
 * that tell the word itself are left out for some tokens, so that context is learnt too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  entityFeatures,
  entityFeatureVersion,
  identityFeatures,
} from '../../../server/engine/moderation/pii/entities/entity-features.ts';
import { entityKinds, entityTagCount } from '../../../server/engine/moderation/pii/entities/entity-tagger.ts';
import { entityTokens } from '../../../server/engine/moderation/pii/entities/entity-tokens.ts';
import { type Chance, createChance } from '../../../test/support/documents/specimens/chance.ts';
import { type Carrier, carrierOf } from './carriers.ts';
import { entryText, readEntries } from './entries.ts';
import { expand, type Labelled, type Language, languages, readLines, withNoise } from './grammar.ts';
import { openSlots } from './slots.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
    texts: { type: 'string', default: '7000' },
    rounds: { type: 'string', default: '24' },
    show: { type: 'boolean' },
    buckets: { type: 'string', default: String(1 << 19) },
  },
});
const buckets = Number(options.buckets);
const sources = {
  lists: `${options.work}/lists.json`,
  corpora: `${options.work}/corpora`,
  shared: options.shared,
};
/** Share of the tokens that are learnt without the features of the word itself. */
const hiddenWords = { named: 0.4, other: 0.08 };
/** Shares of the texts: sentences of people that name nobody, the same turned into templates, lines of an encyclopedia; templates are the rest. */
const shares: Record<Language, { natural: number; carrier: number; entry: number }> = {
  en: { natural: 0.2, carrier: 0.42, entry: 0.06 },
  ms: { natural: 0.22, carrier: 0.28, entry: 0 },
  zh: { natural: 0.22, carrier: 0.36, entry: 0 },
};
const rate = 0.12;

/** Endlessly many texts of a language, all different. */
function texts(language: Language): (chance: Chance) => Labelled {
  const slots = openSlots(language, 'train', sources);
  const carry: Carrier = carrierOf(language);
  const templates = readLines(`templates/${language}.txt`);
  const entries =
    shares[language].entry > 0 ? readEntries(`${sources.corpora}/wordnet-base/usr/share/wordnet`) : [];
  const { natural, carrier, entry } = shares[language];
  const template = (chance: Chance): string => {
    const at = chance.below(1000) / 1000;
    if (at < natural + carrier) return carry(slots('natural', chance), chance, at < natural) ?? '{natural}';
    return at < natural + carrier + entry ? entryText(chance.pick(entries), chance) : chance.pick(templates);
  };
  const one = (chance: Chance) => expand(template(chance), language, slots, chance);
  // Some texts hold several of them: a span's line is not its whole context.
  return (chance) =>
    withNoise(chance.happens(0.25) ? joined(one(chance), one(chance), chance) : one(chance), chance);
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

const words = new Uint32Array(Uint8Array.from(readFileSync(`${options.work}/entities-words.bin`)).buffer);

interface Rows {
  /** Features of all tokens one after the other: token `at` has `lengths[at]` of them from `at * widest` on. */
  ids: Int32Array;
  lengths: Uint8Array;
  tags: Uint8Array;
}

const widest = 80;

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
    const features = [...entityFeatures(tokens, buckets, words)];
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

interface Learner {
  weights: Float32Array;
  squares: Float32Array;
  chance: Chance;
}

/** One pass over the rows; the loss of a token and the share of wrong ones. */
function learn(
  { ids, lengths, tags }: Rows,
  { weights, squares, chance }: Learner,
  pace: number,
): [number, number] {
  const logits = new Float64Array(entityTagCount);
  /** Where the weights lie of the features that this token is learnt with. */
  const active = new Int32Array(widest + 1);
  let [loss, wrong] = [0, 0];
  for (let step = 0; step < tags.length; step++) {
    // A walk by a prime visits every row once, in an order that is not that of the texts.
    const at = (step * 7_368_787) % tags.length;
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
  return [loss / tags.length, wrong / tags.length];
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

/** Texts are made as they are learnt: none comes twice. */
function train(): void {
  const chance = createChance(11);
  const learner = {
    weights: new Float32Array(buckets * entityTagCount),
    squares: new Float32Array(buckets * entityTagCount).fill(0.01),
    chance: createChance(7),
  };
  const mix: Record<Language, number> = { en: 1.6, ms: 1, zh: 1.4 };
  const makers = languages.flatMap((language) => {
    const make = texts(language);
    return Array.from({ length: mix[language] * 5 }, () => make);
  });
  const rounds = Number(options.rounds);
  for (let round = 0; round < rounds; round++) {
    const rows = toRows(Array.from({ length: Number(options.texts) }, () => chance.pick(makers)(chance)));
    const [loss, wrong] = learn(rows, learner, rate * (1 - (0.9 * round) / rounds));
    console.log(
      `round ${round + 1}: ${rows.tags.length} tokens, loss ${loss.toFixed(4)}, wrong ${wrong.toFixed(4)}, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor`,
    );
    if ((round + 1) % 5 > 0 && round + 1 < rounds) continue;
    const { whole, scales } = quantized(learner.weights);
    writeFileSync(`${options.work}/entities.bin`, whole);
    writeFileSync(
      `${options.work}/model.json`,
      JSON.stringify({ version: entityFeatureVersion, buckets, scales }),
    );
  }
}

if (import.meta.main) {
  if (process.argv.includes('--show')) {
    const chance = createChance(3);
    for (const language of languages) {
      const make = texts(language);
      for (let at = 0; at < 40; at++) {
        const { text, spans } = make(chance);
        let shown = text;
        for (const { start, end, kind } of spans.toReversed())
          shown = `${shown.slice(0, start)}<${kind[0]} ${shown.slice(start, end)}>${shown.slice(end)}`;
        console.log(shown.replaceAll('\n', '\\n'));
      }
    }
  } else train();
}
