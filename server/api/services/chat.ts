/** POST /v1/chat/completions: OpenAI-compatible (spec.md), with the further fields of contract.md "Chat". */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';

const TextPart = Type.Object({ type: Type.Literal('text'), text: Type.String() });
export const ImageDetail = Type.Optional(
  Type.Enum(['auto', 'low', 'high', 'original'], {
    description: 'Changes nothing: pictures are seen as they are.',
  }),
);
const ImagePart = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({
    url: Type.String({
      minLength: 1,
      description:
        'A data URL in base64 of a PNG, JPEG, WebP or GIF; an https address where the settings allow it. Up to 16 pictures, each up to 20 MB and 4,096 pixels a side. The model reads a description of it (`x-lokal-images`), for which the key needs the scope images, documents or both.',
    }),
    detail: ImageDetail,
  }),
});
export type ImagePart = Static<typeof ImagePart>;
const Content = Type.Union([Type.String(), Type.Array(TextPart, { minItems: 1 })]);
const AskedContent = Type.Union([
  Type.String(),
  Type.Array(Type.Union([TextPart, ImagePart]), { minItems: 1 }),
]);

export const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});
export type ToolCall = Static<typeof ToolCall>;

const messageFields = {
  role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
  name: Type.Optional(Type.String({ maxLength: 64 })),
  tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: 128 })),
  tool_call_id: Type.Optional(Type.String()),
  reasoning_content: Type.Optional(
    Type.String({ description: 'Of an earlier answer; the format decides if the model sees it again.' }),
  ),
};

/** As the engines have it, pictures in words. */
export const ChatMessage = Type.Object({ ...messageFields, content: Type.Optional(Nullable(Content)) });
export type ChatMessage = Static<typeof ChatMessage>;

/** Unknown fields inside a message are let through: SDKs send back whole answer messages (`refusal`, `annotations`). */
export const AskedMessage = Type.Object({
  ...messageFields,
  content: Type.Optional(Nullable(AskedContent)),
});
export type AskedMessage = Static<typeof AskedMessage>;

export const JsonSchemaObject = Type.Record(Type.String(), Type.Unknown());
export const FunctionName = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' });

export const Tool = Type.Object({
  type: Type.Literal('function'),
  function: Closed({
    name: FunctionName,
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(JsonSchemaObject),
    strict: Type.Optional(Type.Boolean()),
  }),
});
export type Tool = Static<typeof Tool>;

const ResponseFormat = Type.Union([
  Closed({ type: Type.Literal('text') }),
  Closed({ type: Type.Literal('json_object') }),
  Closed({
    type: Type.Literal('json_schema'),
    json_schema: Closed({
      name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
      description: Type.Optional(Type.String()),
      schema: JsonSchemaObject,
      strict: Type.Optional(Type.Boolean()),
    }),
  }),
]);

const ToolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Closed({ type: Type.Literal('function'), function: Closed({ name: FunctionName }) }),
]);

const TokenId = Type.String({ pattern: '^[0-9]+$' });

/** Fields of OpenAI's API that clients send unasked, at the values that change nothing here; others are refused by name. */
export const withoutEffect = {
  store: Type.Optional(Type.Literal(false)),
  service_tier: Type.Optional(Type.Enum(['auto', 'default'])),
  modalities: Type.Optional(Type.Array(Type.Literal('text'), { minItems: 1, maxItems: 1 })),
  verbosity: Type.Optional(Type.Literal('medium')),
  safety_identifier: Type.Optional(Type.String({ maxLength: 512 })),
  prompt_cache_key: Type.Optional(Type.String({ maxLength: 512 })),
};

export const effortDescription =
  'Thinking before the answer, as far as the model’s chat format knows of it; else it changes nothing.';
export const ReasoningEffort = Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'], {
  description: effortDescription,
});
export type ReasoningEffort = Static<typeof ReasoningEffort>;

/** Fields that other protocols on the chat service have under the same name. */
export const SamplingFields = {
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, default: 0.7 })),
  stream: Type.Optional(Type.Boolean({ default: false })),
  parallel_tool_calls: Type.Optional(Type.Boolean({ default: true })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: Type.Optional(Type.Integer({ minimum: 0 })),
  min_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  seed: Type.Optional(Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })),
  top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
  user: Type.Optional(Type.String({ maxLength: 512 })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 512 }), { maxProperties: 16 })),
};

export const ChatRequest = Closed(
  {
    model: Type.String(),
    messages: Type.Array(AskedMessage, { minItems: 1, maxItems: 4096 }),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_048_576,
        description:
          'Default 256. An answer that it cuts ends with finish_reason `length`: text, JSON and arguments stop where they are, nothing is made up to close them.',
      }),
    ),
    max_completion_tokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'The same as max_tokens; not both.' }),
    ),
    stream_options: Type.Optional(
      Closed({
        include_usage: Type.Optional(Type.Boolean()),
        include_obfuscation: Type.Optional(Type.Literal(false)),
      }),
    ),
    response_format: Type.Optional(ResponseFormat),
    tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
    tool_choice: Type.Optional(ToolChoice),
    stop: Type.Optional(
      Type.Union([
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 4 }),
      ]),
    ),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 8, default: 1 })),
    logprobs: Type.Optional(Type.Boolean({ default: false })),
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    logit_bias: Type.Optional(
      Type.Record(TokenId, Type.Number({ minimum: -100, maximum: 100 }), { additionalProperties: false }),
    ),
    reasoning_effort: Type.Optional(ReasoningEffort),
    ...SamplingFields,
    ...withoutEffect,
  },
  { title: 'ChatRequest' },
);
export type ChatRequest = Static<typeof ChatRequest>;

const TopLogprob = Type.Object({
  token: Type.String(),
  logprob: Type.Number(),
  bytes: Nullable(Type.Array(Type.Integer())),
});
export const TokenLogprob = Type.Object({
  token: Type.String(),
  logprob: Type.Number(),
  bytes: Nullable(Type.Array(Type.Integer())),
  top_logprobs: Type.Array(TopLogprob),
});
const Logprobs = Nullable(
  Type.Object({ content: Nullable(Type.Array(TokenLogprob)), refusal: Type.Optional(Type.Null()) }),
);

const FinishReason = Type.Enum(['stop', 'length', 'tool_calls', 'content_filter']);

export const ChatUsage = Type.Object({
  prompt_tokens: Type.Integer({ minimum: 0 }),
  completion_tokens: Type.Integer({ minimum: 0 }),
  total_tokens: Type.Integer({ minimum: 0 }),
  completion_tokens_details: Type.Optional(Type.Object({ reasoning_tokens: Type.Integer({ minimum: 0 }) })),
});
export type ChatUsage = Static<typeof ChatUsage>;

const CompletionId = Type.String({ pattern: '^chatcmpl-[0-9a-f]+$' });

/** Common head of a whole answer and of each of its chunks. */
const head = <Kind extends string>(kind: Kind) => ({
  id: CompletionId,
  object: Type.Literal(kind),
  created: UnixSeconds,
  model: Type.String(),
  system_fingerprint: Type.Optional(Nullable(Type.String())),
});

export const ChatCompletion = Type.Object(
  {
    ...head('chat.completion'),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Nullable(Type.String()),
          refusal: Type.Optional(Type.Null()),
          reasoning_content: Type.Optional(Type.String({ description: 'Thinking, parted from the answer.' })),
          tool_calls: Type.Optional(Type.Array(ToolCall)),
        }),
        logprobs: Type.Optional(Logprobs),
        finish_reason: FinishReason,
      }),
    ),
    usage: ChatUsage,
  },
  { title: 'ChatCompletion' },
);
export type ChatCompletion = Static<typeof ChatCompletion>;

/** One `data:` event of a streamed answer. */
export const ChatCompletionChunk = Type.Object(
  {
    ...head('chat.completion.chunk'),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        delta: Type.Object({
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(Nullable(Type.String())),
          reasoning_content: Type.Optional(Type.String()),
          tool_calls: Type.Optional(
            Type.Array(
              Type.Object({
                index: Type.Integer({ minimum: 0 }),
                id: Type.Optional(Type.String()),
                type: Type.Optional(Type.Literal('function')),
                function: Type.Optional(
                  Type.Object({
                    name: Type.Optional(Type.String()),
                    arguments: Type.Optional(Type.String()),
                  }),
                ),
              }),
            ),
          ),
        }),
        logprobs: Type.Optional(Logprobs),
        finish_reason: Nullable(FinishReason),
      }),
    ),
    usage: Type.Optional(Nullable(ChatUsage)),
  },
  { title: 'ChatCompletionChunk' },
);
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;
