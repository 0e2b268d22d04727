/**
 * Examples as numbers for train.py: node build.ts TABLE GENERATED OUT WRITTEN...
 * OUT: examples.bin (a record an example: see `write`), examples.jsonl (what each is, for the reports).
 */
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  featureCount,
  inputOf,
  matchesOf,
  prepareText,
  readingTasks,
} from '../../../server/engine/chat/reader/features.ts';
import { outcomes } from '../../../server/engine/chat/reader/reader.ts';
import { WordTable } from '../../../server/engine/chat/reader/word-table.ts';
import { seededRandom } from '../../../server/services/fixtures/random.ts';
import { type Example, fromGenerated, fromWritten, variedFrom } from './examples.ts';

const [table, generated, out, ...written] = process.argv.slice(2);
const words = new WordTable(readFileSync(table!));
const random = seededRandom('examples');
mkdirSync(out!, { recursive: true });
const records = createWriteStream(`${out}/examples.bin`);
const notes = createWriteStream(`${out}/examples.jsonl`);
const longest = 420;
let count = 0;

function write(example: Example): void {
  const question = prepareText(example.question, words);
  const context = prepareText(example.context, words);
  if (context.words.length === 0) return;
  const places = example.places
    .map(([start, end]) => [
      context.words.findIndex((word) => word.end > start && word.kind !== 'line'),
      context.words.findLastIndex((word) => word.start < end && word.kind !== 'line'),
    ])
    .filter(([first, last]) => first! >= 0 && last! >= first!) as [number, number][];
  if (example.places.length > 0 && places.length === 0) return;
  let from = 0;
  if (context.words.length > longest) {
    const at = places[0]?.[0] ?? 0;
    from = Math.max(0, Math.min(context.words.length - longest, at - Math.floor(random() * longest)));
  }
  const to = Math.min(context.words.length, from + longest);
  const kept = places.filter(([first, last]) => first >= from && last < to);
  const input = inputOf(
    { asking: example.asking, question, context, matches: matchesOf(question, context) },
    from,
    to,
  );
  const head = new Int32Array(6 + kept.length * 2 + 1 + input.sentences.length);
  head.set([
    input.length,
    input.questionWords,
    readingTasks.indexOf(example.asking),
    outcomes.indexOf(example.outcome),
    kept.length,
    input.sentences.length,
  ]);
  kept.flat().forEach((place, at) => {
    head[6 + at] = place - from + input.questionWords;
  });
  input.sentences.forEach((place, at) => {
    head[6 + kept.length * 2 + at] = place + input.questionWords;
  });
  head[head.length - 1] = 0;
  const features = Uint8Array.from(input.features, (value) => Math.round(Math.min(1, value) * 255));
  for (const part of [
    new Int32Array([head.length]),
    head,
    Int16Array.from(input.hashes),
    input.rows,
    features,
  ])
    records.write(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  notes.write(
    `${JSON.stringify({ asking: example.asking, outcome: example.outcome, group: example.group, language: example.language, source: example.source, question: example.question.slice(0, 80), context_start: from, words: example.source.startsWith('generated') ? undefined : example.context.slice(0, 60) })}\n`,
  );
  count += 1;
}

/** Without the answer's sentence: the text does not tell. */
function withoutAnswer(example: Example): Example | null {
  if (!['ask', 'field'].includes(example.asking) || example.outcome !== 'span') return null;
  const context = prepareText(example.context, words);
  const cut = example.places.map(([start]) => {
    const at = context.words.findIndex((word) => word.end > start);
    const sentence = context.sentenceOf[at] ?? 0;
    const first = context.words[context.sentences[sentence] ?? 0]!.start;
    const after = context.sentences[sentence + 1];
    return [first, after === undefined ? example.context.length : context.words[after]!.start] as const;
  });
  let text = example.context;
  for (const [start, end] of [...new Map(cut.map((each) => [each[0], each])).values()].sort(
    (a, b) => b[0] - a[0],
  ))
    text = text.slice(0, start) + text.slice(end);
  if (text.length < example.context.length * 0.4 || text.length > example.context.length - 8) return null;
  return { ...example, context: text, outcome: 'none', places: [] };
}

const all = written.flatMap((file) => [
  ...fromWritten(file, basename(file, '.txt')),
  ...variedFrom(file, basename(file, '.txt')),
]);
const texts = all.filter(({ asking }) => asking === 'ask');
for (const example of all) {
  write(example);
  const cut = random() < 0.15 ? withoutAnswer(example) : null;
  if (cut) write(cut);
  // Somebody else's question of the same language.
  if (example.asking === 'ask' && random() < 0.06) {
    const other = texts[Math.floor(random() * texts.length)]!;
    if (other.language === example.language && other.group !== example.group)
      write({ ...example, question: other.question, outcome: 'none', places: [] });
  }
  // Two texts, one after the other.
  const often =
    example.asking === 'ask' ? 0.25 : example.asking === 'field' && example.context.length > 200 ? 0.12 : 0;
  if (texts.length > 0 && example.context.length < 900 && random() < often) {
    const other = texts[Math.floor(random() * texts.length)]!;
    const before = random() < 0.5 ? `${other.context}\n\n` : '';
    if (other.group !== example.group && other.context.length < 900)
      write({
        ...example,
        context: before === '' ? `${example.context}\n\n${other.context}` : before + example.context,
        places: example.places.map(([start, end]) => [start + before.length, end + before.length]),
      });
  }
}
const made = count;
for (const example of fromGenerated(generated!)) write(example);
records.end();
notes.end();
console.log(`${made} written, ${count - made} generated; ${featureCount} features`);
