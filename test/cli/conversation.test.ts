/** `lokal chat` at a terminal, whose keys are written as they come from one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../server/api/services/chat.ts';
import { converse } from '../../server/cli/ask/conversation.ts';
import type { LocalApi } from '../../server/cli/server/local-api.ts';
import { StartError } from '../../server/start-error.ts';
import { temporaryFolder } from '../support/app/folder.ts';

interface Delta {
  content?: string;
  reasoning_content?: string;
}

type Answer = (question: string, signal: AbortSignal) => AsyncGenerator<Delta>;

function open(answer: Answer, { messages = [] as ChatMessage[], showsThinking = false } = {}) {
  const asked: ChatMessage[][] = [];
  const stream: LocalApi['stream'] = async function* <T>(_path: string, body: object, signal?: AbortSignal) {
    const { messages: given } = body as { messages: ChatMessage[] };
    asked.push([...given]);
    for await (const delta of answer(String(given.at(-1)?.content), signal!))
      yield { choices: [{ index: 0, delta }] } as T;
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const done = converse({ stream }, { request: {}, messages, files: [], showsThinking, input, output });
  const until = (what: string | RegExp) =>
    expect.poll(() => shown, { timeout: 5_000 }).toMatch(typeof what === 'string' ? RegExp(what) : what);
  return { asked, done, input, until, shown: () => shown };
}

const echo: Answer = async function* (question) {
  yield { reasoning_content: 'Hm. ' };
  yield { content: 'You said ' };
  yield { content: question };
};

describe('a conversation', () => {
  it('goes on with what was said, keeps thinking to itself, and ends by /exit', async () => {
    const { asked, done, input, until, shown } = open(echo, { messages: [{ role: 'system', content: 'S' }] });
    input.write('one\r');
    await until('You said one');
    input.write('two\r');
    await until('You said two');
    expect(asked[1]?.map(({ content }) => content)).toEqual(['S', 'one', 'You said one', 'two']);
    input.write('/clear\rthree\r');
    await until('You said three');
    expect(asked[2]?.map(({ content }) => content)).toEqual(['S', 'three']);
    input.write('/exit\r');
    await done;
    expect(shown()).not.toContain('Hm.');
  });

  it('shows thinking where it is asked to', async () => {
    const { done, input, until } = open(echo, { showsThinking: true });
    input.write('one\r');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own marks.
    await until(/\x1b\[2mHm\. \x1b\[22m\n\nYou said one/);
    input.write('\x04');
    await done;
  });

  it('Ctrl+C stops the answer and nothing else', async () => {
    const hanging: Answer = async function* (question, signal) {
      yield { content: 'So far' };
      if (question !== 'long') return;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const { asked, done, input, until } = open(hanging);
    input.write('long\r');
    await until('So far');
    input.write('\x03');
    await until(/So far \[stopped\]/);
    input.write('more\r');
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]?.map(({ content }) => content)).toEqual(['long', 'So far', 'more']);
    input.write('half a line\x03');
    input.write('next\r');
    await expect.poll(() => asked.length).toBe(3);
    expect(asked[2]?.at(-1)?.content).toBe('next');
    input.write('\x03');
    await until('Ctrl\\+D or /exit ends');
    input.write('\x04');
    await done;
  });

  it('takes files, several lines and earlier lines, and says what went wrong', async () => {
    const failing: Answer = async function* (question) {
      if (question.endsWith('fail')) throw new StartError('The pack is gone.');
      yield { content: 'Fine.' };
    };
    const { asked, done, input, until } = open(failing);
    const file = join(temporaryFolder(), 'a.txt');
    writeFileSync(file, 'Rain fell.\n');
    input.write(`/file ${file}.none\r`);
    await until('is not there');
    input.write(`/file ${file}\r`);
    await until('goes with the next question');
    input.write('fail\r');
    await until('The pack is gone');
    expect(asked[0]?.at(-1)?.content).toBe(`${file}:\nRain fell.\n\nfail`);
    input.write('"""first\rsecond\r"""\r');
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]?.map(({ content }) => content)).toEqual(['first\nsecond']);
    input.write('again\r');
    await expect.poll(() => asked.length).toBe(3);
    input.write('\x1b[A\r');
    await expect.poll(() => asked.length).toBe(4);
    expect(asked[3]?.at(-1)?.content).toBe('again');
    input.write('/help\r');
    await until('begins and ends a text');
    input.write('/exit\r');
    await done;
  });
});
