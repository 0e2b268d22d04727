/** POST /v1/responses: OpenAI's Responses, translated onto the chat service; objects and events as its SDKs read them. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';
import {
  FunctionName,
  ImageDetail,
  JsonSchemaObject,
  ReasoningEffort,
  SamplingFields,
  withoutEffect,
} from '../services/chat.ts';

const TextPart = Type.Object({ type: Type.Enum(['input_text', 'output_text']), text: Type.String() });
const ImageInput = Type.Object({
  type: Type.Literal('input_image'),
  image_url: Type.String({
    minLength: 1,
    description: 'As `image_url.url` of chat completions. Pictures by `file_id` are not taken.',
  }),
  detail: ImageDetail,
});
const RefusalPart = Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() });

const SummaryText = Type.Object({ type: Type.Literal('summary_text'), text: Type.String() });

/** Unknown fields inside an item are let through: clients send back the items of earlier answers. */
const ResponseInputItem = Type.Union([
  Type.Object({
    type: Type.Literal('function_call'),
    call_id: Type.String(),
    name: FunctionName,
    arguments: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('function_call_output'),
    call_id: Type.String(),
    output: Type.Union([Type.String(), Type.Array(Type.Union([TextPart, ImageInput]))]),
  }),
  Type.Object({ type: Type.Literal('reasoning'), summary: Type.Optional(Type.Array(SummaryText)) }),
  // Last: the one kind whose `type` may be left out.
  Type.Object({
    type: Type.Optional(Type.Literal('message')),
    role: Type.Enum(['system', 'developer', 'user', 'assistant']),
    content: Type.Union([
      Type.String(),
      Type.Array(Type.Union([TextPart, ImageInput, RefusalPart]), { minItems: 1 }),
    ]),
  }),
]);
export type ResponseInputItem = Static<typeof ResponseInputItem>;

const ResponseTool = Closed({
  type: Type.Literal('function'),
  name: FunctionName,
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(JsonSchemaObject),
  strict: Type.Optional(Type.Boolean()),
});

const ResponseToolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Closed({ type: Type.Literal('function'), name: FunctionName }),
]);

const ResponseTextFormat = Type.Union([
  Closed({ type: Type.Literal('text') }),
  Closed({ type: Type.Literal('json_object') }),
  Closed({
    type: Type.Literal('json_schema'),
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    description: Type.Optional(Type.String()),
    schema: JsonSchemaObject,
    strict: Type.Optional(Type.Boolean()),
  }),
]);

const ReasoningSummary = Type.Enum(['auto', 'concise', 'detailed'], {
  description:
    'Puts out an item with the thinking, which is not shortened; without it the thinking is counted alone.',
});

const { service_tier, safety_identifier, prompt_cache_key, verbosity } = withoutEffect;

export const ResponsesRequest = Closed(
  {
    model: Type.String(),
    input: Type.Union([Type.String(), Type.Array(ResponseInputItem, { minItems: 1, maxItems: 4096 })]),
    instructions: Type.Optional(Type.String()),
    max_output_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_048_576,
        description: 'Default: as many as the model’s window has room for.',
      }),
    ),
    temperature: SamplingFields.temperature,
    top_p: SamplingFields.top_p,
    seed: SamplingFields.seed,
    top_logprobs: SamplingFields.top_logprobs,
    text: Type.Optional(Closed({ format: Type.Optional(ResponseTextFormat), verbosity })),
    tools: Type.Optional(Type.Array(ResponseTool, { maxItems: 128 })),
    tool_choice: Type.Optional(ResponseToolChoice),
    parallel_tool_calls: SamplingFields.parallel_tool_calls,
    stream: SamplingFields.stream,
    stream_options: Type.Optional(Closed({ include_obfuscation: Type.Optional(Type.Boolean()) })),
    include: Type.Optional(
      Type.Array(Type.Enum(['message.output_text.logprobs', 'reasoning.encrypted_content']), {
        description: 'No answer carries encrypted reasoning; asking for it changes nothing.',
      }),
    ),
    user: SamplingFields.user,
    metadata: SamplingFields.metadata,
    store: Type.Optional(
      Type.Boolean({
        description: 'Keeps the answer for previous_response_id; `true` needs the setting that allows it.',
      }),
    ),
    previous_response_id: Type.Optional(Type.String({ maxLength: 128 })),
    reasoning: Type.Optional(
      Closed({
        effort: Type.Optional(ReasoningEffort),
        summary: Type.Optional(ReasoningSummary),
      }),
    ),
    background: Type.Optional(Type.Literal(false)),
    truncation: Type.Optional(Type.Literal('disabled')),
    max_tool_calls: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Limits built-in tools, of which there are none.' }),
    ),
    service_tier,
    safety_identifier,
    prompt_cache_key,
  },
  { title: 'ResponsesRequest' },
);
export type ResponsesRequest = Static<typeof ResponsesRequest>;

const ItemStatus = Type.Enum(['in_progress', 'completed', 'incomplete']);

const ResponseLogprob = Type.Object({
  token: Type.String(),
  logprob: Type.Number(),
  bytes: Type.Array(Type.Integer()),
  top_logprobs: Type.Array(
    Type.Object({ token: Type.String(), logprob: Type.Number(), bytes: Type.Array(Type.Integer()) }),
  ),
});

const OutputText = Type.Object({
  type: Type.Literal('output_text'),
  text: Type.String(),
  annotations: Type.Array(Type.Unknown(), { maxItems: 0 }),
  logprobs: Type.Array(ResponseLogprob),
});

const ResponseOutputItem = Type.Union([
  Type.Object({
    type: Type.Literal('message'),
    id: Type.String(),
    role: Type.Literal('assistant'),
    status: ItemStatus,
    content: Type.Array(OutputText),
  }),
  Type.Object({
    type: Type.Literal('function_call'),
    id: Type.String(),
    status: ItemStatus,
    call_id: Type.String(),
    name: Type.String(),
    arguments: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('reasoning'),
    id: Type.String(),
    status: ItemStatus,
    summary: Type.Array(SummaryText),
  }),
]);
export type ResponseOutputItem = Static<typeof ResponseOutputItem>;

const ResponseUsage = Type.Object({
  input_tokens: Type.Integer({ minimum: 0 }),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  output_tokens: Type.Integer({ minimum: 0 }),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer({ minimum: 0 }),
});

export const ResponseObject = Type.Object(
  {
    id: Type.String({ pattern: '^resp_[0-9a-f]+$' }),
    object: Type.Literal('response'),
    created_at: UnixSeconds,
    status: Type.Enum(['in_progress', 'completed', 'incomplete', 'failed']),
    background: Type.Literal(false),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    incomplete_details: Nullable(Type.Object({ reason: Type.Enum(['max_output_tokens', 'content_filter']) })),
    instructions: Nullable(Type.String()),
    max_output_tokens: Nullable(Type.Integer()),
    metadata: Type.Record(Type.String(), Type.String()),
    model: Type.String(),
    output: Type.Array(ResponseOutputItem),
    parallel_tool_calls: Type.Boolean(),
    previous_response_id: Nullable(Type.String()),
    reasoning: Type.Object({ effort: Nullable(ReasoningEffort), summary: Nullable(ReasoningSummary) }),
    service_tier: Type.Literal('default'),
    store: Type.Boolean(),
    temperature: Type.Number(),
    text: Type.Object({ format: Type.Object({ type: Type.String() }), verbosity: Type.Literal('medium') }),
    tool_choice: ResponseToolChoice,
    tools: Type.Array(
      Type.Object({
        type: Type.Literal('function'),
        name: Type.String(),
        description: Nullable(Type.String()),
        parameters: Nullable(JsonSchemaObject),
        strict: Type.Boolean(),
      }),
    ),
    top_logprobs: Type.Integer(),
    top_p: Type.Number(),
    truncation: Type.Literal('disabled'),
    usage: Nullable(ResponseUsage),
    user: Nullable(Type.String()),
  },
  { title: 'Response' },
);
export type ResponseObject = Static<typeof ResponseObject>;

export const DeletedResponse = Type.Object(
  { id: Type.String(), object: Type.Literal('response'), deleted: Type.Literal(true) },
  { title: 'DeletedResponse' },
);
export type DeletedResponse = Static<typeof DeletedResponse>;

export const responseEventTypes = [
  'response.created',
  'response.in_progress',
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.content_part.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.reasoning_summary_part.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_item.done',
  'response.completed',
  'response.incomplete',
] as const;

/** One event of a streamed response; which further fields it has, its `type` says. */
export const ResponseEvent = Type.Object(
  {
    type: Type.Enum([...responseEventTypes]),
    sequence_number: Type.Integer({ minimum: 0 }),
    response: Type.Optional(ResponseObject),
    output_index: Type.Optional(Type.Integer({ minimum: 0 })),
    content_index: Type.Optional(Type.Integer({ minimum: 0 })),
    summary_index: Type.Optional(Type.Literal(0)),
    item_id: Type.Optional(Type.String()),
    item: Type.Optional(ResponseOutputItem),
    part: Type.Optional(Type.Union([OutputText, SummaryText])),
    delta: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    arguments: Type.Optional(Type.String()),
    logprobs: Type.Optional(Type.Array(ResponseLogprob)),
  },
  { title: 'ResponseEvent' },
);
export type ResponseEvent = Static<typeof ResponseEvent>;
