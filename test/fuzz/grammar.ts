/**
 * `npm run fuzz:grammar [-- COUNT SEED]`: structured output drawn by models without sense, over the schemas of the JSON Schema
 * Test Suite, the tools of BFCL's development questions and schemas made up at random. None may end in a dead end or an error
 * but a refusal by name; what ends with `stop` must validate (ajv), `length` comes where the tokens end.
 */
import {
  bfclSubjects,
  draw,
  type Subject,
  schemaSubject,
  suiteSubjects,
} from '../support/chat/grammar-draws.ts';
import { randomSchema } from '../support/chat/random-schema.ts';
import { tastes } from '../support/chat/random-writer.ts';
import { random } from '../support/chat/tiny-decoder.ts';
import { testVocabulary } from '../support/chat/vocabulary.ts';

const [count = 20_000, seed = 1] = process.argv.slice(2).map(Number);
const vocabulary = testVocabulary();
const next = random(seed);
const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
const shared = [suiteSubjects(), bfclSubjects()].filter(({ length }) => length > 0);
/** Long ones are rare: a random model seldom ends. */
const budgets = [8, 16, 16, 32, 32, 64, 64, 64, 128, 256, 1024];
const made = (): Subject => {
  const schema = randomSchema(next);
  return schemaSubject(JSON.stringify(schema).slice(0, 400), schema);
};

const outcomes: Record<string, number> = {};
const failures: string[] = [];
for (let done = 0; done < count; done += 1) {
  const source = Math.floor(next() * (shared.length + 1));
  const subject = source < shared.length ? pick(shared[source]!) : made();
  const taste = pick(tastes);
  const maxTokens = pick(budgets);
  try {
    const outcome = draw(vocabulary, { subject, taste, maxTokens, next });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  } catch (error) {
    failures.push(`${subject.name} (${taste}, ${maxTokens}): ${(error as Error).message}`.slice(0, 800));
    process.stderr.write(`draw ${done}: ${failures.at(-1)}\n`);
  }
  if (done % 1000 === 999) process.stderr.write(`${done + 1} of ${count}, ${failures.length} failures\n`);
}
process.stdout.write(
  `${JSON.stringify({ fuzz: 'grammar', seed, draws: count, outcomes, failures: failures.length, examples: failures.slice(0, 10) })}\n`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
