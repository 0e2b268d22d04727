/** What the adapters count on, asked of each real engine without Lokal between: a changed answer here is a changed engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningEngine } from './engines.ts';

export type Fact = readonly [name: string, holds: (engine: RunningEngine) => Promise<unknown>];

const messages = [{ role: 'user', content: 'Say hello to a friend.' }];
const chat = { model: 'tiny', messages, max_tokens: 12, temperature: 0 };

export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function ask({ key, url }: RunningEngine, path: string, body?: unknown, bearer = key): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
}

/** The status of a GET, or of a POST with `body`. */
const gives =
  (status: number, path: string, body?: unknown, bearer?: string): Fact[1] =>
  async (engine) => {
    const answer = await ask(engine, path, body, bearer ?? engine.key);
    await answer.body?.cancel();
    assert(answer.status === status, `${path}: ${answer.status}`);
  };

async function json(engine: RunningEngine, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await ask(engine, path, body);
  assert(answer.ok, `${path}: ${answer.status}`);
  return (await answer.json()) as Record<string, unknown>;
}

const streamed: Fact = [
  'a stream ends with a finish reason, usage and [DONE]',
  async (engine) => {
    const body = { ...chat, stream: true, stream_options: { include_usage: true } };
    const text = await (await ask(engine, '/v1/chat/completions', body)).text();
    assert(text.trimEnd().endsWith('data: [DONE]'), 'no [DONE]');
    assert(/"finish_reason":\s*"(stop|length)"/.test(text), 'no finish reason');
    assert(/"total_tokens":\s*[1-9]/.test(text), 'no usage');
  },
];

const refusesStrangers: Fact = [
  'no key or a wrong one: 401, and /health 200 all the same',
  async (engine) => {
    for (const bearer of [null, 'wrong']) {
      const answer = await ask(engine, '/v1/models', undefined, bearer);
      assert(answer.status === 401, `${answer.status}`);
    }
    assert((await ask(engine, '/health', undefined, null)).ok, '/health');
  },
];

const lists: Fact = [
  'lists its model',
  async (engine) => {
    const { data } = (await json(engine, '/v1/models')) as { data?: { id: string }[] };
    assert(data?.length === 1, JSON.stringify(data));
    return data[0]!.id;
  },
];

/** The first event of a stream that runs on. */
async function opened(engine: RunningEngine) {
  const body = { ...chat, max_tokens: 200, stream: true };
  const answer = await ask(engine, '/v1/chat/completions', body);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/"content":\s*"(\d+) /.test(text)) {
    const { done, value } = await reader.read();
    assert(!done, 'ended');
    text += value;
  }
  return { answer, reader, text, pid: Number(/"content":\s*"(\d+) /.exec(text)![1]) };
}

const rayFacts: readonly Fact[] = [
  ['/-/healthz answers', gives(200, '/-/healthz')],
  lists,
  streamed,
  ['an unknown model: 404', gives(404, '/v1/chat/completions', { ...chat, model: 'none' })],
  [
    'a lost client ends the generator',
    async (engine) => {
      const { reader } = await opened(engine);
      await reader.cancel();
      await sleep(1000);
      for (let each = 0; each < 6; each += 1) {
        const { running } = await json(engine, '/running');
        assert(running === 0, `${running} running`);
      }
    },
  ],
  [
    'kill -9 of a replica: 200, a cut body without [DONE]; the other answers the next',
    async (engine) => {
      const { answer, pid, reader, text } = await opened(engine);
      process.kill(pid, 'SIGKILL');
      let rest = text;
      let cut = '';
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          rest += value;
        }
        cut = 'body ended';
      } catch {
        cut = 'body cut';
      }
      assert(answer.status === 200 && !rest.includes('[DONE]'), 'came whole');
      await json(engine, '/v1/chat/completions', chat);
      return cut;
    },
  ],
];

const litellmFacts: readonly Fact[] = [
  [
    'no key or a wrong one: refused (without a database by 500 and 400), and /health/liveliness 200',
    async (engine) => {
      const statuses: number[] = [];
      for (const bearer of [null, 'wrong'])
        statuses.push((await ask(engine, '/v1/models', undefined, bearer)).status);
      assert(
        statuses.every((status) => status >= 400),
        statuses.join(),
      );
      assert((await ask(engine, '/health/liveliness', undefined, null)).ok, '/health/liveliness');
      return statuses.join();
    },
  ],
  lists,
  [
    'one of its two targets is dead: how many of its first eight answers fail',
    async (engine) => {
      const statuses: number[] = [];
      for (let each = 0; each < 8; each += 1) {
        const answer = await ask(engine, '/v1/chat/completions', chat);
        await answer.body?.cancel();
        statuses.push(answer.status);
      }
      assert(statuses.at(-1) === 200, statuses.join());
      return statuses.join();
    },
  ],
  streamed,
];

const facts: Readonly<Record<string, readonly Fact[]>> = {
  llamacpp: [
    refusesStrangers,
    lists,
    streamed,
    ['any model name is taken', gives(200, '/v1/chat/completions', { ...chat, model: 'no-such-model' })],
    [
      '/props tells the context of a slot',
      async (engine) => {
        const props = await json(engine, '/props');
        const context = (props.default_generation_settings as { n_ctx?: number } | undefined)?.n_ctx;
        assert(Number.isInteger(context), JSON.stringify(context));
        return context;
      },
    ],
    ['/slots and /metrics answer', gives(200, '/slots')],
    ['embeddings it was not started for: 501', gives(501, '/v1/embeddings', { model: 'tiny', input: 'a' })],
    [
      'over the context: 400 with the numbers',
      async (engine) => {
        const long = [{ role: 'user', content: 'word '.repeat(3000) }];
        const answer = await ask(engine, '/v1/chat/completions', { ...chat, messages: long });
        assert(answer.status === 400, `${answer.status}`);
        return (await answer.text()).slice(0, 160);
      },
    ],
  ],
  kserve: [
    ['/v2/health/live', gives(200, '/v2/health/live')],
    ['/v2/models/encoder/ready', gives(200, '/v2/models/encoder/ready')],
    ['an unknown model: 404', gives(404, '/v2/models/none')],
    [
      'metadata names tensors, types and shapes',
      async (engine) => {
        const { inputs, outputs } = await json(engine, '/v2/models/encoder');
        assert(Array.isArray(inputs) && Array.isArray(outputs) && inputs.length > 0, 'none');
        return JSON.stringify({ inputs, outputs });
      },
    ],
  ],
  litellm: litellmFacts,
  ray: rayFacts,
  vllm: [
    refusesStrangers,
    lists,
    streamed,
    [
      'the model list tells max_model_len',
      async (engine) => {
        const { data } = (await json(engine, '/v1/models')) as { data: { max_model_len?: number }[] };
        assert(data[0]?.max_model_len === 256, JSON.stringify(data));
      },
    ],
    ['an unknown model: 404', gives(404, '/v1/chat/completions', { ...chat, model: 'none' })],
    ['max_tokens over the window: 400', gives(400, '/v1/chat/completions', { ...chat, max_tokens: 9999 })],
  ],
};

export const factsOf = (id: string): readonly Fact[] => facts[id] ?? [];
