/** Engines that speak OpenAI's protocol: vLLM, llama.cpp's server, Ray Serve, SGLang, Ollama, LocalAI, LM Studio. */
import type { EngineCapabilities } from '../../api/console/engines.ts';
import type { GenerateEvent, GenerateParams } from '../../engine/chat/types.ts';
import { ApiError } from '../../errors.ts';
import type { EngineAdapter, RemoteAsk } from '../adapter.ts';
import { readText, statusFault } from '../connection.ts';
import { readEventStream } from '../event-stream.ts';
import { EngineFault } from '../fault.ts';
import { estimateTokens, toGenerateEvents } from './chat-events.ts';
import { toChatBody } from './chat-request.ts';
import { embedRemotely, sessionHeader } from './embeddings.ts';
import { checkOpenAi, tryOpenAi } from './trial.ts';

export const openAiAdapter: EngineAdapter = {
  kind: 'openai',
  roles: ['svc-lingua-7b', 'svc-embed-base'],
  methods: { chat: { generate }, embeddings: { embed: embedRemotely } },
  refusal(method, params, capabilities) {
    if (method === 'generate') return chatRefusal(params as GenerateParams, capabilities);
    return method === 'embed' ? null : `it has no ${method}`;
  },
  check: checkOpenAi,
  trial: tryOpenAi,
};

/** No token of a text has more bytes than this on the average of a prompt. */
const mostBytesPerToken = 16;

export function chatRefusal(
  params: GenerateParams,
  capabilities: EngineCapabilities,
): string | ApiError | null {
  const { tools, tool_choice: obeys, json_schema: json, logprobs, choices, context } = capabilities;
  if (params.tools.length > 0 && tools === false) return 'it takes no tools';
  if (['required', 'function'].includes(params.toolChoice.mode) && obeys === false)
    return 'it does not obey tool_choice';
  if (params.format.type !== 'text' && json === false) return 'it writes no JSON by a schema';
  if (params.topLogprobs !== null && logprobs === false) return 'it gives no log probabilities';
  if (params.choices > 1 && choices === false) return 'it gives one choice';
  if (context === null) return null;
  const least = Math.ceil(promptBytes(params) / mostBytesPerToken);
  return least + params.maxTokens > context ? windowExceeded(context, least, params.maxTokens) : null;
}

export const windowExceeded = (context: number, prompt: number, answer: number): ApiError =>
  new ApiError(
    'context_length_exceeded',
    `The model’s window holds ${context} tokens; the prompt has at least ${prompt} and the answer may have ${answer}.`,
    { param: 'messages' },
  );

export function promptBytes({ raw, messages, tools }: GenerateParams): number {
  return Buffer.byteLength(raw ? raw.text + (raw.suffix ?? '') : JSON.stringify([messages, tools]));
}

async function* generate(params: GenerateParams, ask: RemoteAsk): AsyncGenerator<GenerateEvent> {
  yield* streamChat(params, ask, {
    headers: sessionHeader(ask),
    explain: (body) => explainRefusal(body, params, ask),
  });
}

export interface ChatProtocol {
  headers: Record<string, string>;
  explain: (body: string, status: number) => ApiError | undefined;
}

/** @throws EngineFault */
export async function* streamChat(
  params: GenerateParams,
  { connection, model, signal, caller }: Pick<RemoteAsk, 'connection' | 'model' | 'signal' | 'caller'>,
  { headers, explain }: ChatProtocol,
): AsyncGenerator<GenerateEvent> {
  const response = await connection.send({
    path: params.raw ? '/v1/completions' : '/v1/chat/completions',
    headers: { accept: 'text/event-stream', ...headers },
    body: JSON.stringify(toChatBody(params, model)),
    signal,
    caller,
  });
  if (response.status !== 200) throw await statusFault(response, explain);
  if (!/^text\/event-stream/i.test(response.headers['content-type'] ?? '')) {
    await readText(response, 65_536).catch(() => '');
    throw new EngineFault('invalid', 'it was asked for a stream and sent something else');
  }
  yield* toGenerateEvents(readEventStream(response.chunks), { ...params, promptBytes: promptBytes(params) });
}

/** The numbers of vLLM's and llama.cpp's refusal of a prompt beyond the window; any other refusal is a 400 without their words. */
function explainRefusal(body: string, params: GenerateParams, { engine, capabilities }: RemoteAsk): ApiError {
  const named = /maximum context length is (\d+)|"n_ctx":\s*(\d+)|context size \((\d+)/i.exec(body);
  const context = Number(named?.slice(1).find(Boolean) ?? capabilities.context);
  if (context > 0 && /context (length|size|window)|n_ctx|max_model_len|exceed_context/i.test(body)) {
    const counted = /"n_prompt_tokens":\s*(\d+)|(\d+) (?:tokens )?(?:in the messages|input tokens)/i.exec(
      body,
    );
    const prompt = Number(counted?.slice(1).find(Boolean) ?? estimateTokens(promptBytes(params)));
    return windowExceeded(context, prompt, params.maxTokens);
  }
  return new ApiError('invalid_value', `The remote engine ${engine} refuses the request.`);
}
