/**
 * Trains the tagger of names and places: node train.ts --work DIR; evaluate.ts writes it into the pack.
 *
 * A linear-chain CRF over hashed features of each token (AdaGrad), the same features that the engine reads. Features
 * that tell the word itself are left out for some tokens, so that context is learnt too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  entityFeatures,
  entityFeatureVersion,
  identityFeatures,
} from '../../../server/engine/entities/entity-features.ts';
import { entityKinds } from '../../../server/engine/entities/entity-tagger.ts';
import { entityTokens } from '../../../server/engine/entities/entity-tokens.ts';
import { entityTagCount, linkCount, sumChain } from '../../../server/engine/entities/tag-chain.ts';
import { type Chance, createChance } from '../../../test/support/documents/specimens/chance.ts';
import { type Carrier, carrierOf } from './carriers.ts';
import { entryText, readEntries } from './entries.ts';
import { expand, type Labelled, type Language, languages, readLines, withNoise } from './grammar.ts';
import { openSlots } from './slots.ts';
import { isKeptBack, isLeftOut, readWritten, withOthers } from './written.ts';

const { values: options } = parseArgs({
  options: {
    work: { type: 'string', default: '/tmp/shield-names' },
    shared: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
    texts: { type: 'string', default: '7000' },
    rounds: { type: 'string', default: '30' },
    show: { type: 'boolean' },
    /** Every fourth block of the written texts is left out, to set thresholds on. */
    part: { type: 'boolean' },
    buckets: { type: 'string', default: String(1 << 19) },
    /** Goes on from the weights of a pack, carefully: for a few rounds after a few templates more. */
    from: { type: 'string' },
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
/** Shares of the written texts, and of those with other names in the place of theirs. */
const written = { texts: 0.28, others: 0.6 };

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
  const people = [
    ...readWritten(new URL(`written/${language}.tsv`, import.meta.url), language).filter(
      (_, at) => !options.part || !isLeftOut(at),
    ),
    ...readWritten(new URL(`written-next/${language}.tsv`, import.meta.url), language).filter(
      (_, at) => !isKeptBack(at) && (!options.part || !isLeftOut(at)),
    ),
  ];
  const one = (chance: Chance): Labelled => {
    if (!chance.happens(written.texts)) return expand(template(chance), language, slots, chance);
    const text = chance.pick(people);
    return chance.happens(written.others) ? withOthers(text, slots, chance) : text;
  };
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
    undecided: [
      ...(a.undecided ?? []),
      ...(b.undecided ?? []).map(({ start, end }) => ({ start: start + offset, end: end + offset })),
    ],
  };
}

const readTable = (name: string) =>
  new Uint32Array(Uint8Array.from(readFileSync(`${options.work}/${name}`)).buffer);
const words = readTable('entities-words.bin');
const names = readTable('entities-names.bin');
/** Share of the known names that a round does not know, so that unknown ones are learnt too. */
const unknownNames = 0.5;

interface Rows {
  /** Features of all tokens one after the other: token `at` has `lengths[at]` of them from `at * widest` on. */
  ids: Int32Array;
  lengths: Uint8Array;
  tags: Uint8Array;
  links: Uint8Array;
  /** 1 for tokens that are learnt by their place alone. */
  hidden: Uint8Array;
  /** Where each text begins, and the end. */
  starts: number[];
}

const widest = 100;
/** No tag: the token is not learnt. */
const skipped = 255;

function toRows(all: readonly Labelled[], chance: Chance): Rows {
  const count = all.reduce((sum, { text }) => sum + entityTokens(text).length, 0);
  const rows = {
    ids: new Int32Array(count * widest),
    lengths: new Uint8Array(count),
    tags: new Uint8Array(count),
    links: new Uint8Array(count),
    hidden: new Uint8Array(count),
    starts: [] as number[],
  };
  const known = { words, names: names.filter(() => !chance.happens(unknownNames)) };
  let at = 0;
  for (const { text, spans, undecided } of all) {
    rows.starts.push(at);
    const tokens = entityTokens(text);
    const features = [...entityFeatures(tokens, buckets, known)];
    let last: Labelled['spans'][number] | undefined;
    for (const [index, token] of tokens.entries()) {
      // “Ravi's” is one token.
      const span = spans.find(({ start, end }) => token.start >= start && token.start < end);
      const isSkipped = undecided?.some(({ start, end }) => token.start >= start && token.end <= end);
      const { ids, link } = features[index]!;
      rows.tags[at] = span ? 2 * entityKinds.indexOf(span.kind) + (span === last ? 2 : 1) : 0;
      if (isSkipped) rows.tags[at] = skipped;
      rows.ids.set(ids, at * widest);
      rows.links[at] = link;
      rows.hidden[at] = span?.hidden ? 1 : 0;
      rows.lengths[at++] = ids.length;
      last = span;
    }
  }
  rows.starts.push(at);
  return rows;
}

interface Learner {
  weights: Float32Array;
  squares: Float32Array;
  transitions: Float64Array;
  transitionSquares: Float64Array;
  chance: Chance;
}

/** One pass over the rows; the loss of a token and the share of wrong ones. */
function learn({ starts, ...rows }: Rows, learner: Learner, pace: number): [number, number] {
  let [loss, wrong] = [0, 0];
  for (let text = 0; text + 1 < starts.length; text++) {
    // A chain ends at a token that is not learnt.
    for (let from = starts[text]!; from < starts[text + 1]!; from++) {
      let to = from;
      while (to < starts[text + 1]! && rows.tags[to] !== skipped) to++;
      if (to > from) {
        const [more, mistakes] = learnChain({ ...rows, from, to }, learner, pace);
        loss += more;
        wrong += mistakes;
      }
      from = to;
    }
  }
  return [loss / rows.tags.length, wrong / rows.tags.length];
}

const tableSize = entityTagCount * entityTagCount;

function learnChain(
  { ids, lengths, tags, links, hidden, from, to }: Omit<Rows, 'starts'> & { from: number; to: number },
  { weights, squares, transitions, transitionSquares, chance }: Learner,
  pace: number,
): [number, number] {
  const count = to - from;
  /** Where the weights lie of the features that each token is learnt with; the bias, which is in row 0, is always there. */
  const active = new Int32Array(count * (widest + 1));
  const counts = new Int32Array(count).fill(1);
  const logits = new Float64Array(count * entityTagCount);
  for (let token = 0; token < count; token++) {
    const at = from + token;
    const isHidden =
      hidden[at] === 1 || chance.happens(tags[at]! > 0 ? hiddenWords.named : hiddenWords.other);
    const first = token * (widest + 1);
    for (let f = at * widest + (isHidden ? identityFeatures : 0); f < at * widest + lengths[at]!; f++)
      active[first + counts[token]!++] = ids[f]! * entityTagCount;
    const own = logits.subarray(token * entityTagCount, (token + 1) * entityTagCount);
    for (let f = first; f < first + counts[token]!; f++) {
      const row = active[f]!;
      for (let tag = 0; tag < entityTagCount; tag++) own[tag]! += weights[row + tag]!;
    }
  }
  const { forward, backward, scales, own, steps } = sumChain({
    count,
    logits,
    links: links.subarray(from, to),
    transitions,
  });
  let [loss, wrong] = [0, 0];
  for (let token = 0; token < count; token++) {
    const [row, truth, first] = [token * entityTagCount, tags[from + token]!, token * (widest + 1)];
    const odds = forward[row + truth]! * backward[row + truth]!;
    loss -= Math.log(odds + 1e-9);
    if (odds < 0.5) wrong++;
    if (odds > 0.998) continue;
    for (let tag = 0; tag < entityTagCount; tag++) {
      const slope = forward[row + tag]! * backward[row + tag]! - (tag === truth ? 1 : 0);
      if (Math.abs(slope) < 1e-3) continue;
      for (let f = first; f < first + counts[token]!; f++) {
        const cell = active[f]! + tag;
        squares[cell]! += slope * slope;
        weights[cell]! -= (pace * slope) / Math.sqrt(squares[cell]!);
      }
    }
  }
  const slopes = new Float64Array(transitions.length);
  for (let token = 1; token < count; token++) {
    const [row, table] = [token * entityTagCount, links[from + token]! * tableSize];
    for (let before = 0; before < entityTagCount; before++) {
      const left = forward[row - entityTagCount + before]! / scales[token]!;
      if (left < 1e-6) continue;
      for (let tag = 0; tag < entityTagCount; tag++)
        slopes[table + before * entityTagCount + tag]! +=
          left * steps[table + before * entityTagCount + tag]! * own[row + tag]! * backward[row + tag]!;
    }
    slopes[table + tags[from + token - 1]! * entityTagCount + tags[from + token]!]! -= 1;
  }
  for (const [cell, slope] of slopes.entries()) {
    if (Math.abs(slope) < 1e-4) continue;
    transitionSquares[cell]! += slope * slope;
    transitions[cell]! -= (pace * slope) / Math.sqrt(transitionSquares[cell]!);
  }
  return [loss, wrong];
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

/** Weights as they are in a pack; how far each was learnt is not there, so steps begin small. */
function goOnFrom(folder: string, { weights, squares, transitions }: Learner): void {
  const whole = new Int8Array(readFileSync(`${folder}/entities.bin`));
  const model = JSON.parse(readFileSync(`${folder}/entities.json`, 'utf8')) as {
    scales: number[];
    transitions: number[];
  };
  for (const [cell, weight] of whole.entries()) weights[cell] = weight * model.scales[cell % entityTagCount]!;
  squares.fill(1);
  transitions.set(model.transitions);
}

/** Texts are made as they are learnt: none comes twice. */
function train(): void {
  const chance = createChance(11);
  const learner = {
    weights: new Float32Array(buckets * entityTagCount),
    squares: new Float32Array(buckets * entityTagCount).fill(0.01),
    transitions: new Float64Array(linkCount * tableSize),
    transitionSquares: new Float64Array(linkCount * tableSize).fill(1),
    chance: createChance(7),
  };
  if (options.from) goOnFrom(options.from, learner);
  const pace = options.from ? rate / 4 : rate;
  const mix: Record<Language, number> = { en: 1.6, ms: 1, zh: 1.4 };
  const makers = languages.flatMap((language) => {
    const make = texts(language);
    return Array.from({ length: mix[language] * 5 }, () => make);
  });
  const rounds = Number(options.rounds);
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: Number(options.texts) }, () => chance.pick(makers)(chance));
    const rows = toRows(texts, chance);
    const [loss, wrong] = learn(rows, learner, pace * (1 - (0.9 * round) / rounds));
    console.log(
      `round ${round + 1}: ${rows.tags.length} tokens, loss ${loss.toFixed(4)}, wrong ${wrong.toFixed(4)}, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor`,
    );
    if ((round + 1) % 5 > 0 && round + 1 < rounds) continue;
    const { whole, scales } = quantized(learner.weights);
    writeFileSync(`${options.work}/entities.bin`, whole);
    writeFileSync(
      `${options.work}/model.json`,
      JSON.stringify({
        version: entityFeatureVersion,
        buckets,
        scales,
        transitions: [...learner.transitions].map((weight) => Math.round(weight * 1e3) / 1e3),
      }),
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
