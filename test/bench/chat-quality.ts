/**
 * What the shipped chat starter can do, through its own engine and without sampling: held-back conversations (extraction,
 * passages, tools, small jobs), BFCL questions under the grammar where the shared data is there, perplexity by language.
 * `score` is the mean of `qa_em`, `extract_em` and `tool_accuracy`; `floors` are answers without a model. `blind`: questions of
 * somebody who knew neither generators nor code. `repeating`: answers at the API's defaults that say the same over and over.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEngine } from '../../server/engine/chat/engine.ts';
import type { Engine } from '../../server/engine/engine.ts';
import { say } from './chat-quality/asking.ts';
import {
  alwaysRefusing,
  type BlindItem,
  blindItems,
  blindKinds,
  echoing,
  isBlindRight,
} from './chat-quality/blind.ts';
import { labelledFields, mostFrequent, overlapAnswer, overlapCall } from './chat-quality/floors.ts';
import { type BfclItem, bfclQuestions, heldBack, type Item, paragraphs } from './chat-quality/items.ts';
import { likelihood, openReader, perplexity } from './chat-quality/likelihood.ts';
import { loops } from './chat-quality/loops.ts';
import {
  fieldsRight,
  isAccepted,
  isRight,
  isRightFunction,
  parsed,
  type Said,
} from './chat-quality/scoring.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

/** Another chat pack can be judged by the same questions. */
const folder =
  process.env.LOKAL_BENCH_CHAT_PACK ??
  fileURLToPath(new URL('../../models/packs/lingua-starter', import.meta.url));
/** Of BFCL's simple and multiple questions, one in so many. */
const bfclStep = 6;

interface Judged {
  item: Item;
  said: Said;
  right: boolean;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : rounded(values.reduce((sum, value) => sum + value, 0) / values.length);

const share = (judged: readonly Judged[]): number => mean(judged.map(({ right }) => Number(right)));

async function answer(
  engine: Engine<'chat'>,
  { messages, schema, tools = [] }: Pick<Item, 'messages' | 'schema' | 'tools'>,
): Promise<Said> {
  return say(engine, {
    messages,
    tools,
    toolChoice: { mode: tools.length > 0 ? 'auto' : 'none' },
    parallelToolCalls: true,
    format: schema ? { type: 'json_schema', schema, strict: true } : { type: 'text' },
  });
}

async function judge(engine: Engine<'chat'>, items: readonly Item[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const item of items) {
    const said = await answer(engine, item);
    judged.push({ item, said, right: isRight(item, said) });
    if (judged.length % 50 === 0) progress(`${judged.length} of ${items.length}: ${share(judged)} right`);
  }
  return judged;
}

/** Share of the blind questions answered rightly, of each kind and language, and what two answers without a model reach. */
async function blind(engine: Engine<'chat'>, items: readonly BlindItem[]) {
  const judged: { item: BlindItem; right: boolean }[] = [];
  for (const item of items) {
    const { messages, tools, response_format: format } = item;
    const schema = format?.json_schema.schema;
    const said = await answer(engine, { messages, ...(tools && { tools }), ...(schema && { schema }) });
    judged.push({ item, right: isBlindRight(item, said) });
  }
  const score = (chosen: readonly { right: boolean }[]) => mean(chosen.map(({ right }) => Number(right)));
  const floor = (how: (item: BlindItem) => Said) =>
    mean(items.map((item) => Number(isBlindRight(item, how(item)))));
  const result = {
    score: score(judged),
    questions: items.length,
    per_kind: Object.fromEntries(
      blindKinds.map((kind) => [kind, score(judged.filter(({ item }) => item.kind === kind))]),
    ),
    per_language: Object.fromEntries(
      ['en', 'ms', 'zh'].map((lang) => [lang, score(judged.filter(({ item }) => item.lang === lang))]),
    ),
    floors: { refusing: floor(alwaysRefusing), echoing: floor(echoing) },
  };
  progress(`blind: ${JSON.stringify(result)}`);
  return result;
}

/** `required`: BFCL's questions all ask for a call. */
async function bfcl(engine: Engine<'chat'>, questions: readonly BfclItem[]) {
  const said: Said[] = [];
  for (const { messages, tools } of questions)
    said.push(
      await say(engine, { messages, tools, toolChoice: { mode: 'required' }, parallelToolCalls: false }),
    );
  const floor = questions.map(({ messages, tools }) => overlapCall(messages, tools));
  const score = (answers: readonly Said[], test: (item: BfclItem, said: Said) => boolean) =>
    mean(questions.map((item, at) => Number(test(item, answers[at]!))));
  const result = {
    questions: questions.length,
    accuracy: score(said, isAccepted),
    right_function: score(said, isRightFunction),
    well_formed: mean(said.map(({ calls }) => Number(parsed(calls[0]?.arguments ?? '') !== undefined))),
    floors: { overlap: score(floor, isAccepted), overlap_function: score(floor, isRightFunction) },
  };
  progress(`BFCL: ${JSON.stringify(result)}`);
  return result;
}

const byKey = (judged: readonly Judged[], key: 'task' | 'language'): Record<string, number> =>
  Object.fromEntries(
    [...new Set(judged.map(({ item }) => item[key]))].map((value) => [
      value,
      share(judged.filter(({ item }) => item[key] === value)),
    ]),
  );

function floorsOf(items: readonly Item[], of: (task: string) => readonly Item[]) {
  const score = (chosen: readonly Item[], how: (item: Item) => Said) =>
    mean(chosen.map((item) => Number(isRight(item, how(item)))));
  const frequent = mostFrequent(of('passage'));
  return {
    qa_most_frequent: score(of('passage'), () => ({ text: frequent, calls: [] })),
    qa_overlap: score(of('passage'), overlapAnswer),
    extract_labels: score(of('extract'), labelledFields),
    tool_overlap: score(of('tools'), ({ messages, tools }) => overlapCall(messages, tools!)),
    classify_most_frequent: score(of('classify'), () => ({ text: mostFrequent(of('classify')), calls: [] })),
    all_most_frequent: score(items, () => ({ text: mostFrequent(items), calls: [] })),
  };
}

async function perplexities(quick: boolean): Promise<Record<string, number>> {
  const reader = await openReader(folder);
  try {
    const figures: Record<string, number> = {};
    for (const [language, texts] of Object.entries(paragraphs()))
      figures[language] = rounded(perplexity(await likelihood(reader, quick ? texts.slice(0, 1) : texts)));
    return figures;
  } finally {
    await reader.close();
  }
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Record<string, unknown>;
  const engine = await openEngine(
    { ref: 'lingua-starter', folder, manifest },
    { threads: 1, providers: ['cpu'] },
  );
  try {
    const items = heldBack().filter((_, at) => !quick || at % 150 === 0);
    const of = (task: string) => items.filter((item) => item.task === task);
    const judged = await judge(engine, items);
    const judgedOf = (task: string) => judged.filter(({ item }) => item.task === task);
    const questions = bfclQuestions(quick ? 1000 : bfclStep);
    const schemas = judged.filter(({ item }) => item.schema);
    const [qa, extracted, tools] = [judgedOf('passage'), judgedOf('extract'), judgedOf('tools')];
    return {
      score: mean([share(qa), share(extracted), share(tools)]),
      qa_em: share(qa),
      extract_em: share(extracted),
      extract_fields: mean(extracted.map(({ item, said }) => fieldsRight(item, said))),
      tool_accuracy: share(tools),
      well_formed: mean(schemas.map(({ said }) => Number(parsed(said.text) !== undefined))),
      per_task: byKey(judged, 'task'),
      per_language: byKey(judged, 'language'),
      bfcl: questions ? await bfcl(engine, questions) : null,
      blind: await blind(
        engine,
        blindItems().filter((_, at) => !quick || at % 150 === 0),
      ),
      repeating: await loops(engine, quick),
      perplexity: await perplexities(quick),
      floors: floorsOf(items, of),
    };
  } finally {
    await engine.close();
  }
}
