/** One suite over all engines, through Lokal and by the official OpenAI SDK. */
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import type { RemoteEngine } from '../../../server/api/console/engines.ts';
import type { RealEngine, RunningEngine } from './engines.ts';
import { assert } from './facts.ts';
import type { LokalBefore } from './lokal-before.ts';

export interface Setting {
  engine: RealEngine;
  running: RunningEngine;
  lokal: LokalBefore;
  /** Starts another of the same kind. */
  another(): Promise<RunningEngine>;
}

export type Conformance = readonly [name: string, holds: (setting: Setting) => Promise<unknown>];

const model = 'svc-lingua-7b';
const messages = [{ role: 'user' as const, content: 'Hi.' }];
const chat = { model, messages, max_tokens: 8, temperature: 0 };
const longChat = { model, messages, max_tokens: 200, temperature: 0 };
const schema = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 5 } },
  required: ['name'],
  additionalProperties: false,
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof OpenAI.APIError ? (error.code ?? undefined) : String(error);

const added: Conformance = [
  'lokal engines add: the trial passes',
  async ({ engine, lokal, running }) => {
    const role = engine.kind === 'oip' ? 'svc-embed-base' : model;
    const { trial } = await lokal.add({
      ...running,
      name: 'one',
      kind: engine.kind,
      role,
      model: engine.model,
    });
    const found = trial?.models[0];
    return JSON.stringify({ server: trial?.server, ...found });
  },
];

const chatChecks: readonly Conformance[] = [
  added,
  [
    'whole answer, with who served it',
    async ({ lokal }) => {
      const { data, response } = await lokal.client.chat.completions.create(chat).withResponse();
      assert((data.usage?.completion_tokens ?? 0) > 0, 'no tokens');
      assert(['stop', 'length'].includes(data.choices[0]?.finish_reason ?? ''), 'no finish reason');
      assert(response.headers.get('x-lokal-upstream') === 'one', 'x-lokal-upstream');
      return response.headers.get('x-model-pack');
    },
  ],
  [
    'stream with usage',
    async ({ lokal }) => {
      const stream = await lokal.client.chat.completions.create({
        ...chat,
        stream: true,
        stream_options: { include_usage: true },
      });
      let finish: string | null = null;
      let total = 0;
      for await (const chunk of stream) {
        finish = chunk.choices[0]?.finish_reason ?? finish;
        total = chunk.usage?.total_tokens ?? total;
      }
      assert(finish !== null && total > 0, `${finish} ${total}`);
    },
  ],
  [
    'a key without the scope upstream stays here',
    async ({ lokal }) => {
      const { response } = await lokal.localClient.chat.completions.create(chat).withResponse();
      assert(response.headers.get('x-lokal-upstream') === null, 'it left');
      return response.headers.get('x-model-pack');
    },
  ],
  [
    'JSON schema: an answer is valid, or refused by name; never a broken one with 200',
    async ({ lokal }) => {
      const json_schema = { name: 'person', strict: true, schema };
      try {
        const answer = await lokal.client.chat.completions.create({
          ...longChat,
          response_format: { type: 'json_schema', json_schema },
        });
        const [choice] = answer.choices;
        if (choice?.finish_reason === 'length') return 'cut, and says so';
        assert(typeof JSON.parse(choice?.message.content ?? '').name === 'string', 'not valid');
        return 'valid';
      } catch (error) {
        assert(error instanceof OpenAI.APIError && error.status >= 400, String(error));
        return `${error.status} ${error.code}`;
      }
    },
  ],
  [
    'a refused value is told as OpenAI’s SDK expects it',
    async ({ lokal }) => {
      const error = await lokal.client.chat.completions
        .create({ ...chat, temperature: 9 })
        .catch((each) => each);
      assert(error instanceof OpenAI.BadRequestError && error.param === 'temperature', String(error));
    },
  ],
];

const refused: readonly Conformance[] = [
  [
    'a key that Lokal does not know: 401, and nobody is asked',
    async ({ lokal }) => {
      const stranger = lokal.client.withOptions({ apiKey: 'sk-svc-live-unknown' });
      const error = await stranger.chat.completions.create(chat).catch((each) => each);
      assert(error instanceof OpenAI.AuthenticationError, String(error));
      return error.code;
    },
  ],
  [
    'lokal engines add with a wrong secret: not used and told why, the secret in no answer',
    async ({ engine, lokal, running }) => {
      const secret = 'sk-not-the-secret-of-it';
      const { kind, model: theirs } = engine;
      const added = await lokal
        .add({ url: running.url, key: secret, name: 'wrong', kind, role: model, model: theirs })
        .catch((error: Error) => error.message);
      const { out } = await lokal.engines(['list']);
      await lokal.engines(['remove', 'wrong']);
      const { data } = JSON.parse(out) as { data: RemoteEngine[] };
      const { health } = data.find(({ name }) => name === 'wrong')!;
      assert(health.state !== 'healthy', health.state);
      assert(!(JSON.stringify(added) + out).includes(secret), 'the secret is shown');
      return `${health.state}: ${health.reason}`;
    },
  ],
];

/** What leaves through a closed connection is over there within two seconds. */
const cancelled = (count: (running: RunningEngine) => Promise<number>): Conformance => [
  'a client that leaves ends the work over there',
  async ({ lokal, running }) => {
    const abort = new AbortController();
    const stream = await lokal.client.chat.completions.create(
      { ...longChat, stream: true },
      { signal: abort.signal },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    abort.abort();
    for (let waited = 0; waited < 20 && (await count(running)) > 0; waited += 1) await sleep(100);
    assert((await count(running)) === 0, 'it runs on');
  },
];

async function get<T>({ key, url }: RunningEngine, path: string): Promise<T> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  return (await (await fetch(url + path, { headers })).json()) as T;
}

const overTheWindow: Conformance = [
  'over the window: context_length_exceeded',
  async ({ lokal }) => {
    const long = [{ role: 'user' as const, content: 'word '.repeat(2000) }];
    const error = await lokal.client.chat.completions
      .create({ ...chat, messages: long })
      .catch((each) => each);
    assert(codeOf(error) === 'context_length_exceeded', String(error));
    return (error as Error).message;
  },
];

/** LiteLLM's proxy may answer with its own 500 before it knows that one of its targets is dead. */
async function begunStream({ client }: LokalBefore) {
  for (let left = 4; ; left -= 1) {
    try {
      return await client.chat.completions.create({ ...longChat, stream: true });
    } catch (error) {
      if (left === 0 || !(error instanceof OpenAI.APIError) || error.status < 500) throw error;
    }
  }
}

const killedMidStream: Conformance = [
  'kill -9 mid-stream: an error in the stream, then 503 with Retry-After',
  async ({ lokal, running }) => {
    const stream = await begunStream(lokal);
    let told: unknown = null;
    let killed = false;
    try {
      for await (const { choices } of stream) {
        assert(!choices[0]?.finish_reason, 'it came whole');
        if (choices[0]?.delta.content && !killed) killed = process.kill(-running.child.pid!, 'SIGKILL');
      }
    } catch (error) {
      told = error;
    }
    assert(killed && told instanceof OpenAI.APIError, String(told));
    const error = await lokal.client.chat.completions.create(chat).catch((each) => each);
    assert(error instanceof OpenAI.APIError && error.status === 503, String(error));
    assert(error.headers?.get('retry-after'), 'no Retry-After');
    return `${codeOf(told)}, then ${error.code}`;
  },
];

const llamaChecks: readonly Conformance[] = [
  ...chatChecks,
  ...refused,
  cancelled(async (running) => {
    const slots = await get<{ is_processing: boolean }[]>(running, '/slots');
    return slots.filter(({ is_processing: busy }) => busy).length;
  }),
  overTheWindow,
  [
    'two engines, one killed (-9) amid 60 requests: none fails',
    async ({ another, engine, lokal, running }) => {
      const second = await another();
      try {
        await lokal.add({ ...second, name: 'two', kind: engine.kind, role: model, model: engine.model });
        const served = new Map<string | null, number>();
        const failures: string[] = [];
        const ask = async (at: number) => {
          if (at === 20) process.kill(running.child.pid!, 'SIGKILL');
          const asked = { ...chat, max_tokens: 16, user: `n${at}` };
          const answer = await lokal.client.chat.completions
            .create(asked)
            .withResponse()
            .catch((each) => each);
          if (answer instanceof Error) return void failures.push(`${codeOf(answer)}: ${answer.message}`);
          const by = answer.response.headers.get('x-lokal-upstream');
          served.set(by, (served.get(by) ?? 0) + 1);
        };
        const queue = Array.from({ length: 60 }, (_, at) => at);
        const work = async () => {
          for (let at = queue.shift(); at !== undefined; at = queue.shift()) await ask(at);
        };
        await Promise.all(Array.from({ length: 4 }, work));
        assert(failures.length === 0, failures.join('; '));
        return JSON.stringify(Object.fromEntries(served));
      } finally {
        await second.stop();
      }
    },
  ],
  [
    'all gone: 503 by name, with Retry-After',
    async ({ lokal }) => {
      const error = await lokal.client.chat.completions.create(chat).catch((each) => each);
      assert(error instanceof OpenAI.APIError && error.status === 503, String(error));
      assert(error.headers?.get('retry-after'), 'no Retry-After');
      return error.code;
    },
  ],
];

/** A replica that was killed before takes its time to come back. */
async function twoReplicas(engine: RunningEngine): Promise<void> {
  const end = performance.now() + 300_000;
  const pids = new Set<number>();
  while (pids.size < 2) {
    assert(performance.now() < end, 'no two replicas within five minutes');
    pids.add((await get<{ pid: number }>(engine, '/running')).pid);
    await sleep(200);
  }
}

const rayChecks: readonly Conformance[] = [
  ...chatChecks,
  cancelled(async (running) => {
    // One after the other: more than its queue holds is refused.
    const counts: { running: number }[] = [];
    for (let each = 0; each < 6; each += 1) counts.push(await get<{ running: number }>(running, '/running'));
    return Math.max(...counts.map((each) => each.running));
  }),
  [
    'kill -9 of a replica mid-stream: an error in the stream, and the next request is answered',
    async ({ lokal, running: engine }) => {
      await twoReplicas(engine);
      const stream = await lokal.client.chat.completions.create({ ...longChat, stream: true });
      let told: unknown = null;
      let finish: string | null = null;
      let killed = false;
      try {
        for await (const chunk of stream) {
          const pid = Number(/^\d+/.exec(chunk.choices[0]?.delta.content ?? '')?.[0]);
          if (pid && !killed) {
            process.kill(pid, 'SIGKILL');
            killed = true;
          }
          finish = chunk.choices[0]?.finish_reason ?? finish;
        }
      } catch (error) {
        told = error;
      }
      assert(killed && told instanceof OpenAI.APIError && finish === null, `${told} ${finish}`);
      await lokal.client.chat.completions.create(chat);
      return codeOf(told);
    },
  ],
];

const embeddingChecks: readonly Conformance[] = [
  added,
  [
    'vectors equal those of this machine',
    async ({ lokal }) => {
      const ask = { model: 'svc-embed-base', input: ['selamat pagi', 'good morning'] };
      const there = await lokal.client.embeddings.create(ask).withResponse();
      const here = await lokal.localClient.embeddings.create(ask).withResponse();
      assert(there.response.headers.get('x-lokal-upstream') === 'one', 'not asked');
      assert(here.response.headers.get('x-lokal-upstream') === null, 'it left');
      const cosines = there.data.data.map(({ embedding }, at) =>
        embedding.reduce((sum, value, index) => sum + value * here.data.data[at]!.embedding[index]!, 0),
      );
      assert(Math.min(...cosines) > 0.999, cosines.join());
      return `cosine ${Math.min(...cosines).toFixed(6)}`;
    },
  ],
];

const suites: Readonly<Record<string, readonly Conformance[]>> = {
  llamacpp: llamaChecks,
  litellm: [...chatChecks, ...refused, killedMidStream],
  vllm: [
    ...chatChecks,
    ...refused,
    cancelled(async ({ url }) => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return Number(/^vllm:num_requests_running\{.*\} (\S+)$/m.exec(metrics)![1]);
    }),
    overTheWindow,
    killedMidStream,
  ],
  ray: rayChecks,
  kserve: embeddingChecks,
};

export const conformanceOf = (id: string): readonly Conformance[] => suites[id] ?? [];
