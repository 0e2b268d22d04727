import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../server/engine/chat/engine.ts';
import type { Engine } from '../../../server/engine/engine.ts';
import { ask, paramsOf, stream } from '../../support/chat/ask.ts';
import { referenceLogits } from '../../support/chat/reference.ts';
import {
  type TinyPack,
  type TinyPackOptions,
  tinyTokenizer,
  writeTinyPack,
} from '../../support/chat/tiny-pack.ts';

let root: string;
let pack: TinyPack;
let engine: Engine<'chat'>;

async function open(options: TinyPackOptions = {}) {
  const config = { max_position_embeddings: 256, ...options.config };
  const made = await writeTinyPack(root, { ...options, config });
  return { made, opened: await openEngine(made, { threads: 2, providers: ['cpu'] }) };
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lokal-chat-'));
  ({ made: pack, opened: engine } = await open());
});
afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true });
});

const tokenizer = new Tokenizer(tinyTokenizer(), {});
const idOf = (piece: string) => tokenizer.token_to_id(piece)!;
const encode = (text: string): number[] => tokenizer.encode(text).ids;
const promptOf = (content: string) => `<|im_start|>user\n${content}<|im_end|>\n<|im_start|>assistant\n`;

/** Greedy decoding by the plain forward pass, as text. */
function referenceText(content: string, count: number): string {
  const tokens = encode(promptOf(content));
  const start = tokens.length;
  while (tokens.length < start + count) {
    const logits = referenceLogits(pack.config, pack.tensors, tokens).at(-1)!;
    const next = logits.indexOf(Math.max(...logits));
    if (next === idOf('<|im_end|>') || next === idOf('<|endoftext|>')) break;
    tokens.push(next);
  }
  const options = { skip_special_tokens: true, clean_up_tokenization_spaces: false };
  return tokenizer.decode(tokens.slice(start), options);
}

/** A cut-off character at the very end is dropped by one and replaced by the other. */
const comparable = (text: string) => text.replace(/\uFFFD+$/, '');
const questions = Array.from(
  { length: 8 },
  (_, at) => `Question ${at}: ${'is the thing in there '.repeat(at)}?`,
);

describe('greedy answers', () => {
  it.each(['What is the time in there?', 'x', '😀 漢字'])(
    'are those of the plain forward pass: %s',
    async (content) => {
      const { choices } = await ask(engine, paramsOf(content, { maxTokens: 12 }));
      expect(comparable(choices[0]!.text)).toBe(comparable(referenceText(content, 12)));
    },
  );

  it('are the same for eight at once as for each alone', async () => {
    const alone = [];
    for (const content of questions) alone.push((await ask(engine, paramsOf(content))).choices);
    const { opened: fresh } = await open();
    const together = await Promise.all(questions.map((content) => ask(fresh, paramsOf(content))));
    expect(together.map(({ choices }) => choices)).toEqual(alone);
    await fresh.close();
  });

  it('are the same for a second turn as for a fresh engine', async () => {
    const first = await ask(engine, paramsOf('Hello there, this is a long question.', { maxTokens: 30 }));
    const messages = [
      { role: 'user' as const, content: 'Hello there, this is a long question.' },
      { role: 'assistant' as const, content: first.choices[0]!.text },
      { role: 'user' as const, content: 'And then?' },
    ];
    const { opened: fresh } = await open();
    const [second, unremembered] = [
      await ask(engine, paramsOf('', { messages })),
      await ask(fresh, paramsOf('', { messages })),
    ];
    expect(second).toEqual(unremembered);
    await fresh.close();
  });
});

describe('a seed', () => {
  const sampled = { temperature: 1, topP: 0.95, seed: 42, maxTokens: 40 };

  it.each(['float32', 'quality', 'speed'] as const)(
    'gives the same text alone, in company, after other turns and in a fresh engine (%s)',
    async (preset) => {
      const { opened } = await open({ preset });
      const text = async (on: Engine<'chat'>) =>
        (await ask(on, paramsOf('Tell me the thing', sampled))).choices;
      const alone = await text(opened);
      const others = (count: number) =>
        questions
          .slice(0, count)
          .map((content) => ask(opened, paramsOf(content, { maxTokens: 60, temperature: 1 })));
      for (const count of [1, 2, 4, 7]) {
        const company = others(count);
        expect(await text(opened)).toEqual(alone);
        await Promise.all(company);
      }
      const { opened: fresh } = await open({ preset });
      expect(await text(fresh)).toEqual(alone);
      await Promise.all([opened.close(), fresh.close()]);
    },
  );

  it('differs from another, and choices of one request differ from each other', async () => {
    const params = (seed: number) => paramsOf('Tell me', { ...sampled, seed, choices: 3 });
    const [one, again, other] = [
      await ask(engine, params(1)),
      await ask(engine, params(1)),
      await ask(engine, params(2)),
    ];
    expect(one).toEqual(again);
    expect(one.choices).not.toEqual(other.choices);
    expect(new Set(one.choices.map(({ text }) => text)).size).toBe(3);
  });

  it('is another every time when none is given', async () => {
    const params = paramsOf('Tell me', { ...sampled, seed: null });
    expect((await ask(engine, params)).choices).not.toEqual((await ask(engine, params)).choices);
  });
});

describe('events', () => {
  it('begin with the prompt’s tokens and end with every choice’s finish', async () => {
    const { events, promptTokens } = await ask(engine, paramsOf('Hi', { choices: 3, temperature: 1 }));
    expect(promptTokens).toBe(encode(promptOf('Hi')).length);
    expect(events.filter(({ kind }) => kind === 'prompt').length).toBe(1);
    expect(events.flatMap((event) => (event.kind === 'finish' ? [event.choice] : [])).sort()).toEqual([
      0, 1, 2,
    ]);
  });

  it('say length at the limit and count what was generated', async () => {
    const bias = { [idOf('<|im_end|>')]: -100, [idOf('<|endoftext|>')]: -100 };
    const { choices } = await ask(engine, paramsOf('Hi', { maxTokens: 5, logitBias: bias }));
    expect(choices[0]).toMatchObject({ reason: 'length', tokens: 5 });
  });

  it('say stop at an end token, which is no text', async () => {
    const { choices } = await ask(engine, paramsOf('Hi', { logitBias: { [idOf('<|im_end|>')]: 100 } }));
    expect(choices[0]).toEqual({ text: '', reason: 'stop', tokens: 0, scores: [] });
  });

  it('end before a stop string, wherever its tokens are cut', async () => {
    const whole = (await ask(engine, paramsOf('Hi there', { maxTokens: 30 }))).choices[0]!.text;
    const stop = whole.slice(6, 9);
    const { choices } = await ask(engine, paramsOf('Hi there', { maxTokens: 30, stop: [stop] }));
    expect(choices[0]).toMatchObject({ text: whole.slice(0, whole.indexOf(stop)), reason: 'stop' });
  });

  it('carry a score for every token, its bytes and its rivals', async () => {
    const params = paramsOf('Hi there', { maxTokens: 12, topLogprobs: 3 });
    const { choices } = await ask(engine, params);
    const [{ scores, text, tokens }] = choices as [(typeof choices)[0]];
    expect(scores.length).toBe(tokens);
    const bytes = Buffer.from(scores.flatMap((score) => score.bytes ?? []));
    expect(comparable(bytes.toString('utf8'))).toBe(comparable(text));
    for (const { logprob, top } of scores) {
      expect(top.length).toBe(3);
      expect(top[0]!.logprob).toBe(logprob);
      expect(top.reduce((sum, rival) => sum + Math.exp(rival.logprob), 0)).toBeLessThanOrEqual(1);
    }
    const wanted = referenceLogits(pack.config, pack.tensors, encode(promptOf('Hi there'))).at(-1)!;
    const logSum = Math.log(wanted.reduce((sum, value) => sum + Math.exp(value), 0));
    expect(scores[0]!.logprob).toBeCloseTo(Math.max(...wanted) - logSum, 3);
  });

  it('never hold half a character', async () => {
    for (let seed = 0; seed < 6; seed += 1) {
      const { events } = await ask(engine, paramsOf('Hi', { temperature: 1.5, seed, maxTokens: 60 }));
      for (const event of events) if (event.kind === 'text') expect(event.text.isWellFormed()).toBe(true);
    }
  });
});

describe('refusals', () => {
  it('of too long a conversation come before any work', async () => {
    const asked = ask(engine, paramsOf('in there '.repeat(200)));
    await expect(asked).rejects.toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });

  it('shorten an answer that would not fit', async () => {
    const bias = { [idOf('<|im_end|>')]: -100, [idOf('<|endoftext|>')]: -100 };
    const { choices, promptTokens } = await ask(
      engine,
      paramsOf('in there '.repeat(20), { maxTokens: 1000, logitBias: bias }),
    );
    expect(choices[0]!.reason).toBe('length');
    expect(choices[0]!.tokens + promptTokens).toBe(256);
  });

  it('of a template reach the caller', async () => {
    const { opened } = await open({ template: "{{ raise_exception('roles must alternate') }}" });
    await expect(ask(opened, paramsOf('Hi'))).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'messages',
      message: expect.stringContaining('roles must alternate'),
    });
    await opened.close();
  });

  it.each([
    ['no chat block', {}],
    ['a graph outside the pack', { chat: { graph: '../model.onnx', context: 64, eos: [1] } }],
    ['a graph that is not there', { chat: { graph: 'other.onnx', context: 64, eos: [1] } }],
    ['a context that is no number', { chat: { graph: 'model.onnx', context: 'long', eos: [1] } }],
  ])('of a pack with %s say so', async (_name, manifest) => {
    const opening = openEngine({ ...pack, manifest }, { threads: 1, providers: ['cpu'] });
    await expect(opening).rejects.toMatchObject({ code: 'internal_error' });
  });
});

describe('an abort', () => {
  const long = paramsOf('Tell me', {
    maxTokens: 200,
    logitBias: { [idOf('<|im_end|>')]: -100, [idOf('<|endoftext|>')]: -100 },
  });

  it('before the start does nothing', async () => {
    await expect(ask(engine, long, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it.each([0, 1, 2, 5])('after %i events ends the answer and frees the slot', async (count) => {
    const controller = new AbortController();
    let seen = 0;
    const reading = (async () => {
      if (count === 0) controller.abort(new Error('gone'));
      for await (const _event of stream(engine, long, controller.signal)) {
        seen += 1;
        if (seen === count) controller.abort(new Error('gone'));
      }
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(seen).toBeLessThan(50);
    expect((await ask(engine, paramsOf('Hi', { maxTokens: 3 }))).choices.length).toBe(1);
  });

  it('while queued leaves the others alone', async () => {
    const controller = new AbortController();
    const running = Array.from({ length: 8 }, () => ask(engine, paramsOf('Hi', { maxTokens: 30 })));
    const queued = ask(engine, long, controller.signal);
    setTimeout(() => controller.abort(new Error('gone')), 1);
    await expect(queued).rejects.toThrow('gone');
    const answers = await Promise.all(running);
    expect(new Set(answers.map(({ choices }) => choices[0]!.text)).size).toBe(1);
  });

  it('is what leaving the loop means', async () => {
    for await (const event of stream(engine, long)) if (event.kind === 'text') break;
    expect((await ask(engine, paramsOf('Hi', { maxTokens: 3 }))).choices.length).toBe(1);
  });
});

describe('structure', () => {
  // A schema in the prompt is many tokens where a token is a byte.
  let roomy: Engine<'chat'>;
  beforeAll(async () => {
    roomy = (await open({ config: { max_position_embeddings: 1024 } })).opened;
  });
  afterAll(() => roomy.close());

  const schema = {
    type: 'object',
    properties: { city: { enum: ['Ipoh', 'Johor'] }, count: { type: 'integer', minimum: 0, maximum: 99 } },
    required: ['city', 'count'],
    additionalProperties: false,
  };

  it.each([0, 1])(
    'keeps to a schema at temperature %i, beside sequences that need not',
    async (temperature) => {
      const format = { type: 'json_schema' as const, schema, strict: true };
      const [answer] = await Promise.all([
        ask(roomy, paramsOf('Where?', { format, temperature, maxTokens: 60, choices: 2 })),
        ask(roomy, paramsOf('Where?', { temperature, maxTokens: 30 })),
      ]);
      for (const { text } of answer.choices) {
        const value = JSON.parse(text) as { city: string; count: number };
        expect(['Ipoh', 'Johor']).toContain(value.city);
        expect(value.count).toBeLessThan(100);
      }
    },
  );

  it('calls a required tool', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: schema } }];
    const params = paramsOf('Where?', {
      tools,
      toolChoice: { mode: 'required' },
      parallelToolCalls: false,
      maxTokens: 100,
      temperature: 1,
    });
    const { choices, events } = await ask(roomy, params);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'tool', name: 'weather' }));
    const text = events.map((event) => (event.kind === 'arguments' ? event.text : '')).join('');
    expect(JSON.parse(text)).toHaveProperty('city');
    expect(choices[0]!.reason).toBe('tool_calls');
  });
});

describe('many clients', () => {
  it('a hundred on four slots all get their own answers', async () => {
    const { opened } = await open({ chat: { slots: 4 } });
    expect(opened.info.slots).toBe(4);
    const params = (at: number) =>
      paramsOf(questions[at % 8]!, { owner: `key ${at % 5}`, maxTokens: 4 + (at % 3) });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(opened, params(at))));
    const alone = new Map<string, string>();
    for (const [at, { choices }] of answers.entries()) {
      const key = `${at % 8}/${at % 3}`;
      if (!alone.has(key)) alone.set(key, (await ask(opened, params(at))).choices[0]!.text);
      expect(choices[0]!.text).toBe(alone.get(key));
    }
    await opened.close();
  });

  it('hear of it when the engine closes', async () => {
    const { opened } = await open();
    const bias = { [idOf('<|im_end|>')]: -100, [idOf('<|endoftext|>')]: -100 };
    const asked = Array.from({ length: 12 }, () =>
      ask(opened, paramsOf('Hi', { maxTokens: 200, logitBias: bias })),
    );
    const outcomes = Promise.allSettled([...asked]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await opened.close();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'shutting_down' } });
  });
});

describe('check', () => {
  const check = (on: Engine<'chat'>) => on.check?.({ signal: new AbortController().signal });

  it('is content with a pack that answers', async () => {
    expect(await check(engine)).toEqual({ promptTokens: expect.any(Number), tokens: expect.any(Number) });
  });

  it('is not with one whose weights are not numbers', async () => {
    const { opened } = await open({ chat: {}, seed: Number.NaN, config: { rms_norm_eps: Number.NaN } });
    await expect(check(opened)).rejects.toMatchObject({ code: 'internal_error' });
    await opened.close();
  });
});
