/**
 * /api/chat, generate, embed, tags, show and version: Ollama's protocol over the services of Lokal. Its clients send no key, so
 * the settings name one that counts as theirs, on this machine alone.
 */
import { type Static, Type } from 'typebox';
import { Closed } from '../common.ts';
import { JsonSchemaObject, SamplingFields } from '../services/chat.ts';

const OllamaCall = Type.Object({
  id: Type.Optional(Type.String()),
  function: Type.Object({ name: Type.String(), arguments: JsonSchemaObject }),
});

export const OllamaMessage = Type.Object({
  role: Type.Enum(['system', 'user', 'assistant', 'tool']),
  content: Type.Optional(Type.String()),
  thinking: Type.Optional(Type.String()),
  images: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      maxItems: 16,
      description: 'base64; as pictures of chat completions.',
    }),
  ),
  tool_calls: Type.Optional(Type.Array(OllamaCall, { maxItems: 128 })),
  tool_name: Type.Optional(Type.String()),
  tool_call_id: Type.Optional(Type.String()),
});
export type OllamaMessage = Static<typeof OllamaMessage>;

/** Other options (`num_ctx`, `num_gpu`, `repeat_penalty`, …) are accepted, as Ollama does, and change nothing here. */
const OllamaOptions = Type.Object({
  temperature: SamplingFields.temperature,
  top_p: SamplingFields.top_p,
  top_k: SamplingFields.top_k,
  min_p: SamplingFields.min_p,
  seed: SamplingFields.seed,
  num_predict: Type.Optional(Type.Integer({ minimum: -2, maximum: 1_048_576 })),
  stop: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String({ minLength: 1 }), { maxItems: 4 })]),
  ),
  presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
});
export type OllamaOptions = Static<typeof OllamaOptions>;

const OllamaFormat = Type.Union([Type.Literal('json'), Type.Literal(''), JsonSchemaObject]);

/** Fields of every request; packs are loaded and unloaded by the settings. */
const shared = {
  model: Type.String(),
  options: Type.Optional(OllamaOptions),
  keep_alive: Type.Optional(Type.Union([Type.String(), Type.Number()])),
};

const generation = {
  ...shared,
  // Ollama streams unless it is told not to.
  stream: Type.Optional(Type.Boolean({ default: true })),
  format: Type.Optional(OllamaFormat),
  think: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(['low', 'medium', 'high'])], {
      description: 'Shows the thinking, which is left out and counted otherwise.',
    }),
  ),
};

export const OllamaChatRequest = Closed(
  {
    ...generation,
    messages: Type.Optional(Type.Array(OllamaMessage, { maxItems: 4096 })),
    tools: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.Literal('function'),
          function: Type.Object({
            name: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
            description: Type.Optional(Type.String()),
            parameters: Type.Optional(JsonSchemaObject),
          }),
        }),
        { maxItems: 128 },
      ),
    ),
  },
  { title: 'OllamaChatRequest' },
);
export type OllamaChatRequest = Static<typeof OllamaChatRequest>;

export const OllamaGenerateRequest = Closed(
  {
    ...generation,
    prompt: Type.Optional(Type.String()),
    suffix: Type.Optional(Type.String()),
    system: Type.Optional(Type.String()),
    raw: Type.Optional(Type.Boolean({ default: false })),
    images: OllamaMessage.properties.images,
  },
  { title: 'OllamaGenerateRequest' },
);
export type OllamaGenerateRequest = Static<typeof OllamaGenerateRequest>;

export const OllamaEmbedRequest = Closed(
  {
    ...shared,
    input: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
    truncate: Type.Optional(Type.Boolean()),
    dimensions: Type.Optional(Type.Literal(1024)),
  },
  { title: 'OllamaEmbedRequest' },
);
export type OllamaEmbedRequest = Static<typeof OllamaEmbedRequest>;

export const OllamaShowRequest = Closed(
  {
    model: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'The older name of model.' })),
    verbose: Type.Optional(Type.Boolean()),
    system: Type.Optional(Type.String()),
    template: Type.Optional(Type.String()),
  },
  { title: 'OllamaShowRequest' },
);
export type OllamaShowRequest = Static<typeof OllamaShowRequest>;

const Nanoseconds = Type.Integer({ minimum: 0, description: 'Nanoseconds; 0 for a test key.' });

/** The whole answer; streamed, each line is one with a piece of it. */
export const OllamaAnswer = Type.Object(
  {
    model: Type.String(),
    created_at: Type.String({ description: 'ISO 8601' }),
    message: Type.Optional(
      Type.Object({
        role: Type.Literal('assistant'),
        content: Type.String(),
        thinking: Type.Optional(Type.String()),
        tool_calls: Type.Optional(Type.Array(OllamaCall)),
      }),
    ),
    response: Type.Optional(Type.String()),
    thinking: Type.Optional(Type.String()),
    done: Type.Boolean(),
    done_reason: Type.Optional(Type.Enum(['stop', 'length', 'load'])),
    total_duration: Type.Optional(Nanoseconds),
    prompt_eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    prompt_eval_duration: Type.Optional(Nanoseconds),
    eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    eval_duration: Type.Optional(Nanoseconds),
  },
  { title: 'OllamaAnswer' },
);
export type OllamaAnswer = Static<typeof OllamaAnswer>;

export const OllamaEmbeddings = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number(), { minItems: 1024, maxItems: 1024 })),
    prompt_eval_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'OllamaEmbeddings' },
);
export type OllamaEmbeddings = Static<typeof OllamaEmbeddings>;

const OllamaDetails = Type.Object({
  parent_model: Type.String(),
  format: Type.Literal('onnx'),
  family: Type.String(),
  families: Type.Array(Type.String()),
  parameter_size: Type.String(),
  quantization_level: Type.String(),
});
export type OllamaDetails = Static<typeof OllamaDetails>;

export const OllamaTags = Type.Object(
  {
    models: Type.Array(
      Type.Object({
        name: Type.String(),
        model: Type.String(),
        modified_at: Type.String({ description: 'ISO 8601' }),
        size: Type.Integer({ minimum: 0 }),
        digest: Type.String(),
        details: OllamaDetails,
      }),
    ),
  },
  { title: 'OllamaTags' },
);
export type OllamaTags = Static<typeof OllamaTags>;

export const OllamaShow = Type.Object(
  {
    modelfile: Type.String(),
    parameters: Type.String(),
    template: Type.String(),
    details: OllamaDetails,
    model_info: Type.Record(Type.String(), Type.Unknown()),
    capabilities: Type.Array(Type.Enum(['completion', 'tools', 'embedding'])),
    modified_at: Type.String({ description: 'ISO 8601' }),
  },
  { title: 'OllamaShow' },
);
export type OllamaShow = Static<typeof OllamaShow>;

export const OllamaVersion = Type.Object({ version: Type.String() }, { title: 'OllamaVersion' });
