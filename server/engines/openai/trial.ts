/** The trial of an engine that speaks OpenAI's protocol. Nothing it says of itself is believed that can be asked. */

import type { EngineCapabilities, EngineModel } from '../../api/console/engines.ts';
import { embeddingDims } from '../../api/services/embeddings.ts';
import type { GenerateEvent, GenerateParams } from '../../engine/chat/types.ts';
import { greedyParams } from '../../hosts/greedy-params.ts';
import { noCapabilities, type TrialReport, type TrialTools } from '../adapter.ts';
import { CheckList } from '../checks.ts';
import { type EngineResponse, readText, statusFault } from '../connection.ts';
import { readEventStream } from '../event-stream.ts';
import { EngineFault } from '../fault.ts';
import { toGenerateEvents } from './chat-events.ts';
import { toChatBody } from './chat-request.ts';
import { parseJsonObject, readEmbeddings } from './embeddings.ts';

type Tools = Omit<TrialTools, 'models' | 'hasSecret'>;

const longestAnswer = 4 * 1024 * 1024;

/** Alive, and our secret taken: /health answers anybody, so it alone proves nothing. */
export async function checkOpenAi(tools: Tools): Promise<void> {
  await listModels(tools);
}

export async function tryOpenAi(tools: TrialTools): Promise<TrialReport> {
  const checks = new CheckList();
  const report: TrialReport = { server: null, found: [], checks: checks.lines, models: [] };
  const live = await checks.run('live', () => askLiveness(tools));
  const listed = await checks.run('authorized', async () => {
    const value = await listModels(tools);
    return { value, detail: `${value.models.size} models` };
  });
  if (!listed)
    return { ...report, models: tools.models.map(({ role, model }) => noCapabilities(role, model)) };
  report.server = listed.server ?? live ?? null;
  report.found = [...listed.models.keys()];
  if (tools.hasSecret)
    await checks.run('open', async () => {
      const { status } = await get('/v1/models', { ...tools, anonymous: true });
      return status === 200
        ? {
            value: true,
            outcome: 'absent',
            detail: 'it answers without the secret too: keep it on a network of its own',
          }
        : { value: false, detail: 'it asks for the secret' };
    });
  const window = await askWindow(tools);
  for (const pair of tools.models) {
    const known = {
      context: listed.models.get(pair.model) ?? window,
      isListed: listed.models.has(pair.model),
    };
    report.models.push(await tryPair(pair, { tools, checks, known }));
  }
  return report;
}

async function get(
  path: string,
  tools: Tools & { anonymous?: boolean },
): Promise<EngineResponse & { text: string }> {
  const { connection, signal, anonymous = false } = tools;
  const response = await connection.send({ path, signal, caller: null, anonymous });
  if (response.status !== 200 && !anonymous) throw await statusFault(response);
  return { ...response, text: await readText(response, longestAnswer) };
}

async function askLiveness(tools: Tools): Promise<{ value: string; detail: string }> {
  for (const [path, server] of [
    ['/health', ''],
    ['/-/healthz', 'Ray Serve'],
  ] as const) {
    const live = await get(path, tools).catch(skipMissing);
    if (live) return { value: serverOf(live) ?? server, detail: `${path} answers` };
  }
  return { value: '', detail: 'it has no health page' };
}

/** An absent page is passed over; everything else stands. */
function skipMissing(error: unknown): null {
  if (error instanceof EngineFault && (error.status === 404 || error.status === 405)) return null;
  throw error;
}

/** Name → its window where it says so. */
async function listModels(
  tools: Tools,
): Promise<{ server: string | null; models: Map<string, number | null> }> {
  const answer = await get('/v1/models', tools);
  let server = serverOf(answer);
  const { data } = parseJsonObject<{ data?: unknown }>(answer.text);
  if (!Array.isArray(data)) throw new EngineFault('invalid', 'its list of models cannot be read');
  const models = new Map<string, number | null>();
  for (const each of data.slice(0, 1_000)) {
    const { id, max_model_len: window, owned_by: owner } = each as Record<string, unknown>;
    if (typeof id === 'string') models.set(id, Number.isInteger(window) ? (window as number) : null);
    if (server === null && typeof owner === 'string' && owner !== '') server = owner;
  }
  return { server, models };
}

const serverOf = ({ headers }: EngineResponse): string | null =>
  typeof headers.server === 'string' ? headers.server.slice(0, 100) : null;

/** The window of llama.cpp's server, for one request: it is split among its slots. */
async function askWindow(tools: Tools): Promise<number | null> {
  const props = await get('/props', tools).catch((error: unknown) => {
    if (error instanceof EngineFault) return null;
    throw error;
  });
  if (!props) return null;
  const window = /"n_ctx":\s*(\d+)/.exec(props.text)?.[1];
  return window === undefined ? null : Number(window);
}

export interface PairContext {
  tools: Tools;
  checks: CheckList;
  known: { context: number | null; isListed: boolean };
}

const tryPair = (pair: EngineModel, context: PairContext): Promise<EngineCapabilities> =>
  pair.role === 'svc-embed-base' ? tryEmbeddings(pair, context) : tryChat(pair, context);

export async function tryEmbeddings(
  { role, model }: EngineModel,
  { tools, checks, known }: PairContext,
): Promise<EngineCapabilities> {
  const startedAt = performance.now();
  const found = await checks.run(
    'embeddings',
    async () => {
      const { connection, signal } = tools;
      const input = ['A short text.', '一句话。'];
      const response = await connection.send({
        path: '/v1/embeddings',
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        signal,
        caller: null,
      });
      if (response.status !== 200) throw await statusFault(response);
      readEmbeddings(await readText(response, longestAnswer), input);
      return { value: true, detail: `${embeddingDims} numbers` };
    },
    model,
  );
  return {
    ...noCapabilities(role, model),
    usable: found === true,
    context: known.context,
    dimensions: found ? embeddingDims : null,
    first_byte_ms: found ? Math.round(performance.now() - startedAt) : null,
  };
}

const question: GenerateParams = {
  ...greedyParams,
  messages: [{ role: 'user', content: 'Say yes.' }],
  parallelToolCalls: true,
  format: { type: 'text' },
  maxTokens: 16,
  seed: null,
  owner: '',
};

const tool = {
  type: 'function' as const,
  function: {
    name: 'say_yes',
    description: 'Says yes.',
    parameters: {
      type: 'object',
      properties: { yes: { type: 'boolean' } },
      required: ['yes'],
      additionalProperties: false,
    },
  },
};

interface Heard {
  events: GenerateEvent[];
  firstByteMs: number;
  ms: number;
}

/** Asks a second time after a 5xx: a gateway fails the first request that meets a dead engine of its own (LiteLLM). */
const ask = (params: Partial<GenerateParams>, model: string, tools: Tools): Promise<Heard> =>
  askOnce(params, model, tools).catch((error: unknown) => {
    const { status } = error instanceof EngineFault ? error : { status: null };
    if (status === null || status < 500 || status === 501) throw error;
    return askOnce(params, model, tools);
  });

async function askOnce(params: Partial<GenerateParams>, model: string, tools: Tools): Promise<Heard> {
  const asked = { ...question, ...params };
  const startedAt = performance.now();
  const response = await tools.connection.send({
    path: '/v1/chat/completions',
    body: JSON.stringify(toChatBody(asked, model)),
    signal: tools.signal,
    caller: null,
  });
  if (response.status !== 200) throw await statusFault(response);
  const events: GenerateEvent[] = [];
  let firstByteMs = 0;
  for await (const event of toGenerateEvents(readEventStream(response.chunks), {
    ...asked,
    promptBytes: 1_000,
  })) {
    if (events.length === 0) firstByteMs = performance.now() - startedAt;
    events.push(event);
  }
  return { events, firstByteMs, ms: performance.now() - startedAt };
}

export async function tryChat(
  { role, model }: EngineModel,
  { tools, checks, known }: PairContext,
): Promise<EngineCapabilities> {
  const nothing = { ...noCapabilities(role, model), context: known.context };
  const heard = await checks.run(
    'chat',
    async () => ({
      value: await ask({}, model, tools),
      detail: known.isListed ? '' : 'not among the models it lists, and it answered all the same',
    }),
    model,
  );
  if (!heard) return nothing;
  const usage = heard.events.find((event) => event.kind === 'usage');
  const tokens = usage?.completionTokens ?? 0;
  const has = (name: string, params: Partial<GenerateParams>, judge: (events: GenerateEvent[]) => boolean) =>
    checks
      .run(
        name,
        async () => {
          const value = judge((await ask(params, model, tools)).events);
          return {
            value,
            ...(value ? {} : { outcome: 'failed' as const, detail: 'the answer does not show it' }),
          };
        },
        model,
      )
      .then((value) => value === true);
  return {
    ...nothing,
    usable: true,
    stream: true,
    usage: usage ? !usage.estimated : false,
    tools: await has('tools', { tools: [tool], toolChoice: { mode: 'auto' } }, () => true),
    tool_choice: await has(
      'tool_choice',
      { tools: [tool], toolChoice: { mode: 'function', name: tool.function.name }, maxTokens: 64 },
      (events) => events.some((event) => event.kind === 'tool' && event.name === tool.function.name),
    ),
    json_schema: await has(
      'json_schema',
      { format: { type: 'json_schema', schema: tool.function.parameters, strict: true }, maxTokens: 64 },
      (events) => /^\s*\{\s*("(y|$)|$)/.test(textOf(events)),
    ),
    logprobs: await has('logprobs', { topLogprobs: 1, maxTokens: 4 }, (events) =>
      events.some((event) => event.kind === 'text' && event.scores !== undefined),
    ),
    choices: await has('n', { choices: 2, maxTokens: 4 }, () => true),
    first_byte_ms: Math.round(heard.firstByteMs * 10) / 10,
    tokens_per_second: tokens > 1 ? Math.round((tokens / heard.ms) * 10_000) / 10 : null,
  };
}

const textOf = (events: GenerateEvent[]): string =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
