/** POST /v1/chat/completions: the checks that a schema cannot say, and an engine's events as OpenAI's answers. */
import type {
  AskedMessage,
  ChatCompletion,
  ChatCompletionChunk,
  ChatMessage,
  ChatRequest,
} from '../../api/services/chat.ts';
import type {
  GenerateEvent,
  GenerateParams,
  OutputFormat,
  RawPrompt,
  TokenizedText,
  ToolChoice,
} from '../../engine/chat/types.ts';
import { ApiError } from '../../errors.ts';
import { type Caller, recordUse } from '../caller.ts';
import {
  callOf,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from '../model-call.ts';
import { type AnswerHead, type AnswerWriter, ChunkWriter, CompletionWriter } from './chat-answer.ts';
import { guardAnswer, guardPrompt } from './guardrails.ts';
import { describePictures } from './pictures.ts';
import { splitReasoning } from './reasoning.ts';

export type ChatAnswer = ChatCompletion | { events: AsyncIterable<ChatCompletionChunk> };
export type ChatService = (body: ChatRequest, caller: Caller) => Promise<ChatAnswer>;

const role = 'svc-lingua-7b';
/** spec.md: max_tokens defaults to 256, temperature to 0.7. */
const defaultMaxTokens = 256;
const defaultTemperature = 0.7;

export function createChat(deps: InferenceDeps): ChatService {
  return async (body, caller) => {
    const context = { deps, caller };
    if (body.stream === true) {
      const includeUsage = body.stream_options?.include_usage === true;
      return { events: answerChat(body, context, (head) => new ChunkWriter(named(head), includeUsage)) };
    }
    const { value } = await answerChat(body, context, (head) => new CompletionWriter(named(head))).next();
    return value;
  };
}

const named = (head: AnswerHead): AnswerHead => ({ ...head, id: `chatcmpl-${head.id}` });

export interface ChatContext {
  deps: InferenceDeps;
  caller: Caller;
  /** In place of the prompt that the messages make. */
  raw?: RawPrompt;
  /** Hears the messages as the model has them, pictures in words. */
  onMessages?: (messages: ChatMessage[]) => void;
}

/**
 * One answer, as a protocol's writer tells it.
 * @throws ApiError at once: model_not_found, invalid_value, missing_field
 */
export function answerChat<Part>(
  body: ChatRequest,
  context: ChatContext,
  createWriter: (head: AnswerHead) => AnswerWriter<Part>,
): AsyncGenerator<Part, never> {
  const { caller } = context;
  checkChat(body, caller);
  const writer = createWriter({ ...identify(caller, body), model: role });
  return generate(writer, body, context) as AsyncGenerator<Part, never>;
}

/**
 * Tokens of the prompt that an answer would follow; with `raw` of a text as it is.
 * @throws what an answer would throw before its first token
 */
export async function tokenizeChat(
  body: ChatRequest,
  { deps, caller, raw }: ChatContext,
): Promise<TokenizedText> {
  checkChat(body, caller);
  const engines = await enginesFor(deps, caller, [body.user]);
  const params = raw
    ? { text: raw.text }
    : {
        request: toParams(body, await describePictures(body.messages, { ...deps, engines, caller }), caller),
      };
  const tokens = await engines.call(role, 'tokenize', params, caller);
  recordServedPack(engines, role, caller);
  return tokens;
}

function checkChat(body: ChatRequest, caller: Caller): void {
  resolveModel(body.model, [role], caller);
  checkMessages(body.messages);
  checkCombinations(body);
}

/**
 * The engine's events as `writer` has them. Counts what goes by, so that an answer that is cut off is metered for what was
 * generated: a token for each piece, which is the least it can be, until the end of a choice tells.
 */
async function* generate<Part>(
  writer: AnswerWriter<Part>,
  body: ChatRequest,
  { deps, caller, raw, onMessages }: ChatContext,
): AsyncGenerator<Part> {
  // Inside, so that a stream is open while a trigger delays it.
  const engines = await enginesFor(deps, caller, [body.user]);
  const messages = await describePictures(body.messages, { ...deps, engines, caller });
  onMessages?.(messages);
  const asked = { ...toParams(body, messages, caller), ...(raw ? { raw } : {}) };
  const rule = deps.guardrails?.(caller) ?? null;
  const guarded = rule && { rule, engines, caller };
  const params = guarded ? await guardPrompt(asked, guarded) : asked;
  const call = { ...callOf(caller), pack: caller.pack, whole: body.stream !== true };
  const events = recordTokens(engines.stream(role, 'generate', params, call), caller);
  const parted = splitReasoning(events, caller);
  for await (const event of guarded ? guardAnswer(parted, guarded, params) : parted) {
    if (event.kind === 'prompt') recordServedPack(engines, role, caller);
    if (event.kind === 'usage') continue;
    if (event.kind === 'reasoning') {
      yield* writer.addReasoning?.(event.choice, event.text) ?? [];
      continue;
    }
    const parts = event.kind === 'prompt' ? writer.begin?.(caller.meter) : writer.add(event);
    if (parts) for (const part of parts) yield part;
  }
  for (const part of writer.end(caller.meter)) yield part;
}

async function* recordTokens(
  events: AsyncIterable<GenerateEvent>,
  caller: Caller,
): AsyncGenerator<GenerateEvent> {
  const record = tokenRecorder(caller);
  for await (const event of events) {
    record(event);
    yield event;
  }
}

function tokenRecorder(caller: Caller): (event: GenerateEvent) => void {
  const tokens: number[] = [];
  return (event) => {
    if (event.kind === 'prompt') {
      recordUse(caller, { promptTokens: event.tokens, schema: event.schema ?? null });
    } else if (event.kind === 'usage') {
      const { promptTokens, completionTokens, estimated } = event;
      recordUse(caller, { promptTokens, completionTokens, estimated });
    } else {
      tokens[event.choice] = event.kind === 'finish' ? event.tokens : (tokens[event.choice] ?? 0) + 1;
      recordUse(caller, { completionTokens: tokens.reduce((sum, each) => sum + each, 0) });
    }
  };
}

function toParams(body: ChatRequest, messages: ChatMessage[], caller: Caller): GenerateParams {
  return {
    messages,
    tools: body.tools ?? [],
    toolChoice: toToolChoice(body),
    parallelToolCalls: body.parallel_tool_calls ?? true,
    format: toFormat(body.response_format),
    maxTokens: body.max_tokens ?? body.max_completion_tokens ?? defaultMaxTokens,
    temperature: body.temperature ?? defaultTemperature,
    topP: body.top_p ?? 1,
    topK: body.top_k ?? 0,
    minP: body.min_p ?? 0,
    presencePenalty: body.presence_penalty ?? 0,
    frequencyPenalty: body.frequency_penalty ?? 0,
    logitBias: body.logit_bias ?? {},
    seed: body.seed ?? null,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    choices: body.n ?? 1,
    topLogprobs: body.logprobs === true ? (body.top_logprobs ?? 0) : null,
    ...(body.reasoning_effort ? { reasoningEffort: body.reasoning_effort } : {}),
    owner: caller.principal.keyId,
  };
}

function toToolChoice({ tool_choice: choice, tools = [] }: ChatRequest): ToolChoice {
  if (choice === undefined) return { mode: tools.length > 0 ? 'auto' : 'none' };
  return typeof choice === 'string' ? { mode: choice } : { mode: 'function', name: choice.function.name };
}

function toFormat(format: ChatRequest['response_format']): OutputFormat {
  if (format?.type !== 'json_schema') return { type: format?.type ?? 'text' };
  const { schema, strict } = format.json_schema;
  return { type: 'json_schema', schema, strict: strict === true };
}

function checkMessages(messages: AskedMessage[]): void {
  for (const [index, message] of messages.entries()) {
    const hasContent = message.content !== undefined && message.content !== null;
    const calls = message.tool_calls?.length ?? 0;
    if (!hasContent && !(message.role === 'assistant' && calls > 0)) missing(`messages[${index}].content`);
    if (message.role === 'tool' && message.tool_call_id === undefined)
      missing(`messages[${index}].tool_call_id`);
    if (message.role !== 'assistant' && calls > 0) {
      invalid(`messages[${index}].tool_calls`, 'is for assistant messages only');
    }
    if (message.role === 'user' || message.role === 'tool' || !Array.isArray(message.content)) continue;
    const picture = message.content.findIndex(({ type }) => type === 'image_url');
    if (picture >= 0) invalid(`messages[${index}].content[${picture}]`, 'is for messages of users and tools');
  }
}

function checkCombinations(body: ChatRequest): void {
  const { tools = [], tool_choice: choice } = body;
  if (isGiven(body.max_tokens) && isGiven(body.max_completion_tokens)) {
    invalid('max_completion_tokens', 'is the same as max_tokens; send one of them');
  }
  if (isGiven(body.stream_options) && body.stream !== true) invalid('stream_options', 'needs stream: true');
  if (isGiven(body.top_logprobs) && body.logprobs !== true) invalid('top_logprobs', 'needs logprobs: true');
  const names = tools.map((tool) => tool.function.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) invalid(`tools[${twice}].function.name`, 'appears twice');
  if (choice === undefined || choice === 'none' || choice === 'auto') return;
  if (tools.length === 0) invalid('tool_choice', 'needs tools');
  if (typeof choice === 'object' && !names.includes(choice.function.name)) {
    invalid('tool_choice.function.name', 'names no function of tools');
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function missing(param: string): never {
  throw new ApiError('missing_field', `${param} is required here.`, { param });
}

function invalid(param: string, why: string): never {
  throw new ApiError('invalid_value', `${param} ${why}.`, { param });
}
