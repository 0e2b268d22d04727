/** A chat request as OpenAI's protocol has it; always streamed, since a server that does not write does not see its client leave. */
import type { GenerateParams, ToolChoice } from '../../engine/chat/types.ts';

export function toChatBody(params: GenerateParams, model: string): Record<string, unknown> {
  const { topLogprobs, tools, format } = params;
  return {
    model,
    ...(params.raw ? toPrompt(params.raw) : { messages: params.messages }),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: params.maxTokens,
    temperature: params.temperature,
    top_p: params.topP,
    ...unless(params.topK, 0, 'top_k'),
    ...unless(params.minP, 0, 'min_p'),
    ...unless(params.presencePenalty, 0, 'presence_penalty'),
    ...unless(params.frequencyPenalty, 0, 'frequency_penalty'),
    ...unless(params.seed, null, 'seed'),
    ...unless(params.choices, 1, 'n'),
    ...(params.reasoningEffort && !params.raw ? { reasoning_effort: params.reasoningEffort } : {}),
    ...(params.stop.length > 0 ? { stop: params.stop } : {}),
    ...(Object.keys(params.logitBias).length > 0 ? { logit_bias: params.logitBias } : {}),
    ...(topLogprobs === null ? {} : { logprobs: true, top_logprobs: topLogprobs }),
    ...(tools.length > 0
      ? {
          tools,
          tool_choice: toWireChoice(params.toolChoice),
          // The field's default, which not every server knows.
          ...unless(params.parallelToolCalls, true, 'parallel_tool_calls'),
        }
      : {}),
    ...(format.type === 'text' ? {} : { response_format: toWireFormat(format) }),
  };
}

/** A text to go on with, for /v1/completions. */
const toPrompt = ({ text, suffix }: NonNullable<GenerateParams['raw']>) => ({
  prompt: text,
  ...unless(suffix, null, 'suffix'),
});

/** A field at the value that changes nothing is left out: not every server knows it. */
const unless = <T>(value: T, neutral: T, name: string) => (value === neutral ? {} : { [name]: value });

const toWireChoice = (choice: ToolChoice) =>
  choice.mode === 'function' ? { type: 'function', function: { name: choice.name } } : choice.mode;

function toWireFormat(format: Exclude<GenerateParams['format'], { type: 'text' }>) {
  if (format.type === 'json_object') return format;
  const { schema, strict } = format;
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict } };
}
