/** `lokal chat`: one question, or a conversation at a terminal. */
import { createInterface } from 'node:readline/promises';
import type { ChatCompletion, ChatCompletionChunk, ChatMessage } from '../../api/services/chat.ts';
import { StartError } from '../../start-error.ts';
import { type Command, type CommandInput, text, texts, UsageError } from '../command.ts';
import { type LocalApi, withApi } from '../server/local-api.ts';
import { readInputFile, readPiped } from './input.ts';

const help = `Usage: lokal chat [TEXT] [options]

Asks the bound chat pack; what is piped in goes with the text. Without a text, at a terminal, a conversation:
/file PATH adds a file, /clear begins anew, /exit or Ctrl+D ends.

  --system TEXT      what the model is told first
  --file PATH        a text file to go with the question; may be repeated
  --temperature N    0 to 2 (default 0.7)
  --max-tokens N     of an answer (default 1024)
  --json             the whole answer as one line of JSON
  --help             this text`;

const path = '/v1/chat/completions';

export const chat: Command = {
  help,
  options: {
    system: { type: 'string' },
    file: { type: 'string', multiple: true },
    temperature: { type: 'string' },
    'max-tokens': { type: 'string' },
  },
  async run(input) {
    const request = {
      model: 'svc-lingua-7b',
      temperature: numberOf(input, 'temperature', 0.7),
      max_tokens: numberOf(input, 'max-tokens', 1024),
    };
    const system = text(input.values.system);
    const messages: ChatMessage[] = system ? [{ role: 'system', content: system }] : [];
    const files = await Promise.all((texts(input.values.file) ?? []).map(quoteFile));
    const words = input.positionals.join(' ').trim();
    const piped = await readPiped();
    const question = [...files, ...(piped === null ? [] : [piped]), ...(words === '' ? [] : [words])].join(
      '\n\n',
    );
    if (question === '' && !process.stdin.isTTY)
      throw new UsageError('TEXT is missing: as operands, or piped in');
    await withApi(async (api) => {
      if (words === '' && piped === null) return converse(api, { request, messages, files });
      messages.push({ role: 'user', content: question });
      const body = { ...request, messages };
      if (!input.values.json) return void (await answer(api, body));
      input.print(await api.ask<ChatCompletion>(path, body), []);
    });
  },
};

function numberOf({ values }: CommandInput, name: string, preset: number): number {
  const value = Number(text(values[name]) ?? preset);
  if (!Number.isFinite(value)) throw new UsageError(`--${name} is a number`);
  return value;
}

const quoteFile = async (file: string): Promise<string> =>
  `${file}:\n${(await readInputFile(file)).toString('utf8').trim()}`;

/** Writes the answer as it comes. @returns all of it */
async function answer(api: LocalApi, body: object): Promise<string> {
  let whole = '';
  for await (const { choices } of api.stream<ChatCompletionChunk>(path, body)) {
    const piece = choices[0]?.delta.content ?? '';
    whole += piece;
    process.stdout.write(piece);
  }
  process.stdout.write('\n');
  return whole;
}

interface Conversation {
  request: object;
  messages: ChatMessage[];
  /** Quoted, to go with the first question. */
  files: string[];
}

async function converse(api: LocalApi, { request, messages, files }: Conversation): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, historySize: 200 });
  const begun = messages.length;
  const held = [...files];
  terminal.setPrompt('> ');
  terminal.prompt();
  for await (const line of terminal) {
    const [command, ...rest] = line.trim().split(' ');
    if (command === '/exit') break;
    if (command === '/clear') messages.splice(begun);
    else if (command === '/file') {
      await quoteFile(rest.join(' ')).then((quoted) => held.push(quoted), sayWhy);
    } else if (line.trim() !== '') {
      messages.push({ role: 'user', content: [...held.splice(0), line].join('\n\n') });
      const content = await answer(api, { ...request, messages }).catch(sayWhy);
      // A question without an answer is none that the next one could follow.
      if (content === undefined) messages.pop();
      else messages.push({ role: 'assistant', content });
    }
    terminal.prompt();
  }
  terminal.close();
}

function sayWhy(error: unknown): undefined {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
}
