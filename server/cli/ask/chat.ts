/** `lokal chat`: one question, or a conversation at a terminal. */
import { type ChatCompletion, type ChatMessage, ReasoningEffort } from '../../api/services/chat.ts';
import { type Command, type CommandInput, text, texts, UsageError } from '../command.ts';
import { withApi } from '../server/local-api.ts';
import { chatPath, conversationHelp, converse, quoteFile, streamAnswer } from './conversation.ts';
import { operandText, readPiped } from './input.ts';

const help = `Usage: lokal chat [TEXT] [options]

Asks the bound chat pack; what is piped in goes with the text. Without a text, at a terminal, a conversation:

${conversationHelp}

  --system TEXT      what the model is told first
  --file PATH        a text file to go with the question; may be repeated
  --temperature N    0 to 2 (default 0.7)
  --max-tokens N     of an answer (default 1024)
  --effort LEVEL     of thinking, where the pack's format knows it: none, minimal, low, medium, high, xhigh
  --thinking         shows it before the answer
  --json             the whole answer as one line of JSON
  --help             this text`;

export const chat: Command = {
  help,
  options: {
    system: { type: 'string' },
    file: { type: 'string', multiple: true },
    temperature: { type: 'string' },
    'max-tokens': { type: 'string' },
    effort: { type: 'string' },
    thinking: { type: 'boolean' },
  },
  async run(input) {
    const request = {
      model: 'svc-lingua-7b',
      temperature: numberOf(input, 'temperature', 0.7),
      max_tokens: numberOf(input, 'max-tokens', 1024),
      ...effortOf(input),
    };
    const shown = { output: process.stdout, showsThinking: input.values.thinking === true };
    const system = text(input.values.system);
    const messages: ChatMessage[] = system ? [{ role: 'system', content: system }] : [];
    const files = await Promise.all((texts(input, 'file') ?? []).map(quoteFile));
    const words = operandText(input);
    const piped = await readPiped();
    const question = [...files, ...(piped === null ? [] : [piped]), ...(words === '' ? [] : [words])].join(
      '\n\n',
    );
    if (question === '' && !process.stdin.isTTY)
      throw new UsageError('TEXT is missing: as operands, or piped in');
    await withApi(async (api) => {
      if (words === '' && piped === null) {
        return converse(api, { request, messages, files, input: process.stdin, ...shown });
      }
      messages.push({ role: 'user', content: question });
      const body = { ...request, messages };
      if (!input.values.json) return void (await streamAnswer(api, body, shown));
      input.print(await api.ask<ChatCompletion>(chatPath, body), []);
    });
  },
};

function numberOf({ values }: CommandInput, name: string, preset: number): number {
  const value = Number(text(values[name]) ?? preset);
  if (!Number.isFinite(value)) throw new UsageError(`--${name} is a number`);
  return value;
}

function effortOf({ values }: CommandInput): { reasoning_effort?: ReasoningEffort } {
  const given = text(values.effort);
  if (given === undefined) return {};
  const effort = ReasoningEffort.enum.find((each) => each === given);
  if (!effort) throw new UsageError(`--effort is ${ReasoningEffort.enum.join(', ')}`);
  return { reasoning_effort: effort };
}
