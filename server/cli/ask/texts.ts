/** `lokal embed` and `moderate`: one text, from operands or a pipe. */
import type { EmbeddingsResult } from '../../api/services/embeddings.ts';
import type { SafetyResult } from '../../api/services/moderations.ts';
import { type Command, table, text, UsageError } from '../command.ts';
import { withApi } from '../server/local-api.ts';
import { operandText, readInputText, withProgress } from './input.ts';

export const embed: Command = {
  help: `Usage: lokal embed [TEXT] [options]

Prints the vector of a text; piped in, of each line.

  --task TASK   query or document, for search
  --json        the whole answer as one line of JSON
  --help        this text`,
  options: { task: { type: 'string' } },
  async run(input) {
    const task = text(input.values.task);
    if (task !== undefined && task !== 'query' && task !== 'document')
      throw new UsageError('--task is query or document');
    const given = await readInputText(input);
    const texts =
      operandText(input) === '' ? given.split('\n').filter((line) => line.trim() !== '') : [given];
    const body = { model: 'svc-embed-base', input: texts, ...(task ? { task } : {}) };
    const result = await withApi((api) =>
      withProgress('Embedding', api.ask<EmbeddingsResult>('/v1/embeddings', body)),
    );
    input.print(
      result,
      result.data.map(({ embedding }) => JSON.stringify(embedding)),
    );
  },
};

export const moderate: Command = {
  help: `Usage: lokal moderate [TEXT] [--json]

Prints the categories a text falls into, with their scores; the text may be piped in. Ends with code 1 where it is flagged.`,
  options: {},
  async run(input) {
    const body = { model: 'svc-shield-base', input: await readInputText(input) };
    const result = await withApi((api) =>
      withProgress('Looking', api.ask<SafetyResult>('/v1/moderations', body)),
    );
    const { flagged, categories } = result.results[0]!;
    const rows = Object.entries(categories)
      .toSorted(([, first], [, second]) => second.score - first.score)
      .filter(([, { flagged: is, score }]) => is || score >= 0.1)
      .map(([name, { flagged: is, score }]) => [name, score.toFixed(3), is ? 'flagged' : '']);
    input.print(result, [flagged ? 'Flagged' : 'Not flagged', ...table(rows)]);
    if (flagged) process.exitCode = 1;
  },
};
