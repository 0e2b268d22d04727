/** POST /v1/completions: OpenAI's older shape, a text that is gone on with, or a gap that is filled in. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';
import { ChatRequest, ChatUsage, SamplingFields } from './chat.ts';

const { stop, n, stream_options, presence_penalty, frequency_penalty, logit_bias } = ChatRequest.properties;
const { metadata: _, parallel_tool_calls: __, top_logprobs: ___, ...sampling } = SamplingFields;

export const CompletionsRequest = Closed(
  {
    model: Type.String(),
    prompt: Type.Union([
      Type.String(),
      Type.Array(Type.String({ description: 'Text: token ids are not taken' }), { minItems: 1, maxItems: 1 }),
    ]),
    suffix: Type.Optional(
      Type.String({
        description: 'What follows the gap; needs a model with tokens for filling in the middle.',
      }),
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576, default: 16 })),
    echo: Type.Optional(Type.Boolean({ default: false, description: 'The prompt before the answer.' })),
    logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    best_of: Type.Optional(Type.Literal(1)),
    stop,
    n,
    stream_options,
    presence_penalty,
    frequency_penalty,
    logit_bias,
    ...sampling,
  },
  { title: 'CompletionsRequest' },
);
export type CompletionsRequest = Static<typeof CompletionsRequest>;

const Scores = Nullable(
  Type.Object({
    tokens: Type.Array(Type.String()),
    token_logprobs: Type.Array(Type.Number()),
    top_logprobs: Type.Array(Type.Record(Type.String(), Type.Number())),
    text_offset: Type.Array(Type.Integer({ minimum: 0 })),
  }),
);

/** The whole answer; streamed, each event is one with a piece of the text. */
export const Completion = Type.Object(
  {
    id: Type.String({ pattern: '^cmpl-[0-9a-f]+$' }),
    object: Type.Literal('text_completion'),
    created: UnixSeconds,
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        text: Type.String(),
        logprobs: Scores,
        finish_reason: Nullable(Type.Enum(['stop', 'length', 'content_filter'])),
      }),
    ),
    usage: Type.Optional(Nullable(ChatUsage)),
  },
  { title: 'Completion' },
);
export type Completion = Static<typeof Completion>;
