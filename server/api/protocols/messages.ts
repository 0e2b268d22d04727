/** POST /v1/messages: Anthropic's Messages, translated onto the chat service; objects and events as its SDKs read them. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable } from '../common.ts';
import { effortDescription, FunctionName, JsonSchemaObject, SamplingFields } from '../services/chat.ts';

/** Of a block, of a tool or of the whole request: nothing is cached by request here, so it changes nothing. */
const cache_control = Type.Optional(Type.Object({ type: Type.Literal('ephemeral') }));

const TextBlock = Type.Object({ type: Type.Literal('text'), text: Type.String(), cache_control });

const ImageBlock = Type.Object({
  type: Type.Literal('image'),
  source: Type.Union([
    Type.Object({
      type: Type.Literal('base64'),
      media_type: Type.Enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: Type.String({ minLength: 1 }),
    }),
    Type.Object({ type: Type.Literal('url'), url: Type.String({ minLength: 1, maxLength: 2048 }) }),
  ]),
  cache_control,
});

const MessageParam = Type.Object({
  role: Type.Enum(['user', 'assistant', 'system']),
  content: Type.Union([
    Type.String(),
    Type.Array(
      Type.Union([
        TextBlock,
        ImageBlock,
        Type.Object({
          type: Type.Literal('tool_use'),
          id: Type.String(),
          name: FunctionName,
          input: JsonSchemaObject,
        }),
        Type.Object({
          type: Type.Literal('tool_result'),
          tool_use_id: Type.String(),
          content: Type.Optional(
            Type.Union([Type.String(), Type.Array(Type.Union([TextBlock, ImageBlock]))]),
          ),
          is_error: Type.Optional(Type.Boolean()),
        }),
        Type.Object({ type: Type.Literal('thinking'), thinking: Type.Optional(Type.String()) }),
        Type.Object({ type: Type.Literal('redacted_thinking') }),
      ]),
      { minItems: 1 },
    ),
  ]),
});
export type MessageParam = Static<typeof MessageParam>;

const MessageTool = Type.Object({
  type: Type.Optional(Type.Literal('custom')),
  name: FunctionName,
  description: Type.Optional(Type.String()),
  input_schema: JsonSchemaObject,
  strict: Type.Optional(Type.Boolean()),
  cache_control,
});

const disable_parallel_tool_use = Type.Optional(Type.Boolean());
const MessageToolChoice = Type.Union([
  Closed({ type: Type.Literal('auto'), disable_parallel_tool_use }),
  Closed({ type: Type.Literal('any'), disable_parallel_tool_use }),
  Closed({ type: Type.Literal('tool'), name: FunctionName, disable_parallel_tool_use }),
  Closed({ type: Type.Literal('none') }),
]);

const display = Type.Optional(
  Type.Enum(['summarized', 'omitted'], { description: 'Thinking is never shortened; it can be left out.' }),
);
const MessageThinking = Type.Union([
  Closed({ type: Type.Literal('disabled') }),
  Closed({ type: Type.Literal('adaptive'), display }),
  Closed({
    type: Type.Literal('enabled'),
    budget_tokens: Type.Integer({ minimum: 1024, description: 'Limits nothing: max_tokens does.' }),
    display,
  }),
]);

/** All that makes the prompt, and that counting its tokens needs. */
const prompt = {
  model: Type.String(),
  messages: Type.Array(MessageParam, { minItems: 1, maxItems: 4096 }),
  system: Type.Optional(Type.Union([Type.String(), Type.Array(TextBlock, { minItems: 1 })])),
  tools: Type.Optional(Type.Array(MessageTool, { maxItems: 128 })),
  tool_choice: Type.Optional(MessageToolChoice),
  output_config: Type.Optional(
    Closed({
      format: Type.Optional(Closed({ type: Type.Literal('json_schema'), schema: JsonSchemaObject })),
      effort: Type.Optional(
        Type.Enum(['low', 'medium', 'high', 'xhigh', 'max'], { description: effortDescription }),
      ),
    }),
  ),
  thinking: Type.Optional(MessageThinking),
  cache_control,
};

export const CountTokensRequest = Closed(prompt, { title: 'CountTokensRequest' });
export type CountTokensRequest = Static<typeof CountTokensRequest>;

export const MessagesRequest = Closed(
  {
    ...prompt,
    max_tokens: Type.Integer({ minimum: 1, maximum: 1_048_576 }),
    stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 4 })),
    stream: SamplingFields.stream,
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0.7 })),
    top_p: SamplingFields.top_p,
    top_k: SamplingFields.top_k,
    seed: SamplingFields.seed,
    metadata: Type.Optional(Closed({ user_id: Type.Optional(Type.String({ maxLength: 512 })) })),
    service_tier: Type.Optional(Type.Enum(['auto', 'standard_only'])),
  },
  { title: 'MessagesRequest' },
);
export type MessagesRequest = Static<typeof MessagesRequest>;

export const CountTokensResult = Type.Object(
  { input_tokens: Type.Integer({ minimum: 0 }) },
  { title: 'CountTokensResult' },
);
export type CountTokensResult = Static<typeof CountTokensResult>;

const AnswerBlock = Type.Union([
  Type.Object({ type: Type.Literal('thinking'), thinking: Type.String(), signature: Type.Literal('') }),
  Type.Object({ type: Type.Literal('text'), text: Type.String(), citations: Type.Null() }),
  Type.Object({
    type: Type.Literal('tool_use'),
    id: Type.String(),
    name: Type.String(),
    input: Type.Unknown(),
    caller: Type.Object({ type: Type.Literal('direct') }),
  }),
]);
export type AnswerBlock = Static<typeof AnswerBlock>;

const StopReason = Type.Enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'model_context_window_exceeded',
  'refusal',
]);

const Counts = {
  input_tokens: Type.Integer({ minimum: 0 }),
  output_tokens: Type.Integer({ minimum: 0 }),
  cache_creation_input_tokens: Type.Integer({ minimum: 0 }),
  cache_read_input_tokens: Type.Integer({ minimum: 0 }),
};

export const Message = Type.Object(
  {
    id: Type.String({ pattern: '^msg_[0-9a-f]+$' }),
    type: Type.Literal('message'),
    role: Type.Literal('assistant'),
    model: Type.String(),
    content: Type.Array(AnswerBlock),
    stop_reason: Nullable(StopReason),
    stop_sequence: Nullable(Type.String()),
    stop_details: Type.Null(),
    container: Type.Null(),
    diagnostics: Type.Null(),
    usage: Type.Object({ ...Counts, service_tier: Type.Literal('standard') }),
  },
  { title: 'Message' },
);
export type Message = Static<typeof Message>;

const index = Type.Integer({ minimum: 0 });

export const MessageEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal('message_start'), message: Message }),
    Type.Object({ type: Type.Literal('content_block_start'), index, content_block: AnswerBlock }),
    Type.Object({
      type: Type.Literal('content_block_delta'),
      index,
      delta: Type.Union([
        Type.Object({ type: Type.Literal('text_delta'), text: Type.String() }),
        Type.Object({ type: Type.Literal('thinking_delta'), thinking: Type.String() }),
        Type.Object({ type: Type.Literal('input_json_delta'), partial_json: Type.String() }),
      ]),
    }),
    Type.Object({ type: Type.Literal('content_block_stop'), index }),
    Type.Object({
      type: Type.Literal('message_delta'),
      delta: Type.Object({ stop_reason: StopReason, stop_sequence: Nullable(Type.String()) }),
      usage: Type.Object(Counts),
    }),
    Type.Object({ type: Type.Literal('message_stop') }),
  ],
  { title: 'MessageEvent' },
);
export type MessageEvent = Static<typeof MessageEvent>;
