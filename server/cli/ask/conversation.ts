/** A conversation at a terminal: streamed answers, files, earlier lines by the arrow keys, Ctrl+C for the answer alone. */
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { ChatCompletionChunk, ChatMessage } from '../../api/services/chat.ts';
import { StartError } from '../../start-error.ts';
import type { LocalApi } from '../server/local-api.ts';
import { readInputFile } from './input.ts';

export const chatPath = '/v1/chat/completions';

export const conversationHelp = `  /file PATH   a text file to go with the next question
  /clear       begin anew
  """          begins and ends a text of several lines
  Ctrl+C       stops an answer, or clears the line
  /exit        ends, as Ctrl+D does`;

export const quoteFile = async (file: string): Promise<string> =>
  `${file}:\n${(await readInputFile(file)).toString('utf8').trim()}`;

export interface AnswerOptions {
  output: Writable;
  /** Thinking goes before the answer, dimmed. */
  showsThinking: boolean;
  signal?: AbortSignal;
}

/** Writes the answer as it comes. @returns all of it, or what there is at the signal */
export async function streamAnswer(
  api: Pick<LocalApi, 'stream'>,
  body: object,
  { output, showsThinking, signal }: AnswerOptions,
): Promise<string> {
  let whole = '';
  let isThinking = false;
  const mark = (thinks: boolean) => {
    if (thinks !== isThinking) output.write(thinks ? '\x1b[2m' : '\x1b[22m\n\n');
    isThinking = thinks;
  };
  try {
    for await (const { choices } of api.stream<ChatCompletionChunk>(chatPath, body, signal)) {
      const { content, reasoning_content: thought } = choices[0]?.delta ?? {};
      if (thought && showsThinking) {
        mark(true);
        output.write(thought);
      }
      if (!content) continue;
      mark(false);
      whole += content;
      output.write(content);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    output.write(' [stopped]');
  } finally {
    if (isThinking) output.write('\x1b[22m');
  }
  output.write('\n');
  return whole;
}

export interface Conversation {
  request: object;
  messages: ChatMessage[];
  /** Quoted, to go with the first question. */
  files: string[];
  showsThinking: boolean;
  input: Readable;
  output: Writable;
}

const delimiter = '"""';

export async function converse(
  api: Pick<LocalApi, 'stream'>,
  { files, input, messages, output, request, showsThinking }: Conversation,
): Promise<void> {
  const terminal = createInterface({ input, output, terminal: true, historySize: 200 });
  const say = (text: string) => output.write(`${text}\n`);
  const begun = messages.length;
  const held = [...files];
  let paragraph: string[] | null = null;
  let answering: AbortController | null = null;

  async function ask(question: string): Promise<void> {
    messages.push({ role: 'user', content: [...held.splice(0), question].join('\n\n') });
    answering = new AbortController();
    const { signal } = answering;
    try {
      const content = await streamAnswer(api, { ...request, messages }, { output, showsThinking, signal });
      if (content !== '') return void messages.push({ role: 'assistant', content });
    } catch (error) {
      sayWhy(error, say);
    } finally {
      answering = null;
    }
    // A question without an answer is none that the next one could follow.
    messages.pop();
  }

  async function obey(command: string, operand: string): Promise<void> {
    if (command === '/clear') {
      messages.splice(begun);
      held.splice(0);
    } else if (command === '/file')
      await quoteFile(operand).then(
        (quoted) => {
          held.push(quoted);
          say(`${operand} goes with the next question.`);
        },
        (error) => sayWhy(error, say),
      );
    else say(conversationHelp);
  }

  function prompt(): void {
    terminal.setPrompt(paragraph ? '… ' : '> ');
    terminal.prompt();
  }

  terminal.on('SIGINT', () => {
    if (answering) return answering.abort();
    if (terminal.line === '' && !paragraph) say('\nCtrl+D or /exit ends.');
    paragraph = null;
    terminal.write(null, { ctrl: true, name: 'e' });
    terminal.write(null, { ctrl: true, name: 'u' });
    prompt();
  });
  prompt();
  for await (const line of terminal) {
    const text: string = line.trim();
    const [command = '', ...rest] = text.split(' ');
    if (paragraph || text.startsWith(delimiter)) {
      const isOpen: boolean = paragraph !== null;
      paragraph = [...(paragraph ?? []), line];
      if (text.endsWith(delimiter) && (isOpen || text.length >= 2 * delimiter.length)) {
        const whole = paragraph.join('\n').trim().slice(delimiter.length, -delimiter.length).trim();
        paragraph = null;
        if (whole !== '') await ask(whole);
      }
    } else if (text === '/exit') break;
    else if (/^\/\w+$/.test(command)) await obey(command, rest.join(' '));
    else if (text !== '') await ask(line);
    prompt();
  }
  terminal.close();
}

function sayWhy(error: unknown, say: (text: string) => void): void {
  if (!(error instanceof StartError)) throw error;
  say(error.message);
}
