/** `lokal batch`: begins one from a file and waits for it, prints its answers later too, lists and ends them. */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, batchEndpoints, type KeyBatch } from '../../api/protocols/batches.ts';
import type { FileObject } from '../../api/protocols/files.ts';
import { StartError } from '../../start-error.ts';
import { actionOf, type Command, type CommandInput, required, table, text } from '../command.ts';
import { type LocalApi, withApi } from '../server/local-api.ts';
import { ServerAwayError } from '../server/pinned-fetch.ts';
import { writeOutput } from '../write-output.ts';
import { readInputFile } from './input.ts';

const pollMs = 500;

export const batch: Command = {
  help: `Usage: lokal batch run FILE [options]
       lokal batch output ID [options]
       lokal batch list
       lokal batch cancel ID

Answers each line of a file: {"custom_id", "method": "POST", "url", "body"}, as OpenAI's batches have them; \`run\` waits and
prints the answers. Lines wait while anybody works interactively. Ends with code 1 where a line was refused. A batch goes on in
the server whatever becomes of the command: \`output\` waits for one that was begun and prints its answers. It, \`list\` and
\`cancel\` know the batches of all keys.

  --output FILE  where the answers go, in place of standard output
  --errors FILE  where the lines go that were refused, in place of standard error
  --json         the batch itself as one line of JSON; the answers go to --output alone
  --help         this text`,
  options: { output: { type: 'string' }, errors: { type: 'string' } },
  run: async (input) => actionOf(actions, input)(input),
};

const actions = { run, output, list, cancel };

async function run(input: CommandInput): Promise<void> {
  const path = required(input, 1, 'FILE');
  const bytes = await readInputFile(path);
  await withApi(async (api) => {
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([new Uint8Array(bytes)]), basename(path));
    const file = (await (await api.request('POST', '/v1/files', form)).json()) as FileObject;
    const body = { input_file_id: file.id, endpoint: endpointOf(bytes), completion_window: '24h' };
    const { id } = await api.ask<Batch>('/v1/batches', body);
    await printAnswers(api, id, input).catch((error: unknown) => {
      if (!(error instanceof ServerAwayError)) throw error;
      throw new StartError(
        `The server ended. The batch goes on when it runs again; \`lokal batch output ${id}\` then prints the answers.`,
      );
    });
  });
}

async function output(input: CommandInput): Promise<void> {
  const id = required(input, 1, 'ID');
  await withApi((api) => printAnswers(api, id, input));
}

/** Once it is over. */
async function printAnswers(api: LocalApi, id: string, input: CommandInput): Promise<void> {
  const done = await untilOver(api, id);
  const outputs: Outputs = { answers: text(input.values.output), errors: text(input.values.errors) };
  await save(api, done, { ...outputs, isJson: input.values.json === true });
  for (const { line, message } of done.errors?.data ?? [])
    process.stderr.write(`${line === null ? '' : `line ${line}: `}${message}\n`);
  if (input.values.json === true) input.print(done, []);
  if (done.status !== 'completed' || done.request_counts.failed > 0) process.exitCode = 1;
}

/** Of the first line; the server refuses what is none. */
function endpointOf(bytes: Buffer): string {
  const [first = ''] = bytes.toString('utf8').trimStart().split('\n', 1);
  try {
    const { url } = JSON.parse(first) as { url?: unknown };
    if (batchEndpoints.some((each) => each === url)) return url as string;
  } catch {
    // Said below.
  }
  throw new StartError(`The first line is no request for ${batchEndpoints.join(', ')}.`);
}

async function untilOver(api: LocalApi, id: string): Promise<KeyBatch> {
  const show = (line: string) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`);
  for (;;) {
    const now = await named(api, id);
    if (['completed', 'failed', 'expired', 'cancelled'].includes(now.status)) {
      show('');
      return now;
    }
    const { total, completed, failed } = now.request_counts;
    show(`${completed + failed} of ${total} lines`);
    await sleep(pollMs);
  }
}

interface Outputs {
  answers: string | undefined;
  errors: string | undefined;
}

async function save(
  api: LocalApi,
  { output_file_id: output, error_file_id: error, key_id }: KeyBatch,
  { answers, errors, isJson }: Outputs & { isJson: boolean },
): Promise<void> {
  const read = async (id: string) =>
    (await api.request('GET', `/console/files/${key_id}/${id}/content`)).text();
  if (output !== null && answers !== undefined) writeOutput(answers, await read(output));
  else if (output !== null && !isJson) process.stdout.write(await read(output));
  if (error !== null && errors !== undefined) writeOutput(errors, await read(error));
  else if (error !== null && !isJson) process.stderr.write(await read(error));
}

/** Those of all keys, as the interface shows them: whoever works on the data folder may see them. */
const allBatches = async (api: LocalApi): Promise<KeyBatch[]> =>
  (await api.console<{ data: KeyBatch[] }>('GET', '/console/batches')).data;

/** @throws StartError where there is none */
async function named(api: LocalApi, id: string): Promise<KeyBatch> {
  const found = (await allBatches(api)).find((each) => each.id === id);
  if (!found) throw new StartError('There is no such batch (any more).');
  return found;
}

async function list(input: CommandInput): Promise<void> {
  const data = await withApi(allBatches);
  const rows = data.map(
    ({ id, endpoint, status, request_counts: { total, completed, failed }, key_name }) => [
      id,
      endpoint,
      status,
      `${completed + failed} of ${total}`,
      key_name,
    ],
  );
  const head = ['ID', 'ENDPOINT', 'STATUS', 'LINES', 'KEY'];
  input.print(data, data.length > 0 ? table([head, ...rows]) : ['There are no batches.']);
}

async function cancel(input: CommandInput): Promise<void> {
  const id = required(input, 1, 'ID');
  const ended = await withApi(async (api) => {
    const { key_id } = await named(api, id);
    await api.console('POST', `/console/batches/${key_id}/${id}/cancel`);
    return named(api, id);
  });
  input.print(ended, [`${ended.id} ${ended.status}`]);
}
