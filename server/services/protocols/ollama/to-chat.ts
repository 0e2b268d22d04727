/** Ollama's requests as the chat requests they stand for. Pure. */

import type {
  OllamaChatRequest,
  OllamaGenerateRequest,
  OllamaMessage,
  OllamaOptions,
} from '../../../api/protocols/ollama.ts';
import type { ChatMessage, ChatRequest } from '../../../api/services/chat.ts';
import type { FieldNames } from '../field-names.ts';
import { unlimitedTokens } from '../limits.ts';

export const ollamaNames: FieldNames = {
  messages: [],
  fields: [
    [/^response_format.*/, 'format'],
    [/^max_tokens$/, 'options.num_predict'],
    [/^(temperature|top_p|top_k|min_p|seed|stop|presence_penalty|frequency_penalty)$/, 'options.$1'],
  ],
};

/** Ollama's clients add a tag to a name that has none. */
export const withoutTag = (model: string): string => model.replace(/:latest$/, '');

export function ollamaToChat({
  model,
  messages = [],
  tools,
  format,
  options,
  think,
}: OllamaChatRequest): ChatRequest {
  return {
    model: withoutTag(model),
    messages: toChatMessages(messages),
    ...optionsOf(options),
    reasoning_effort: toEffort(think),
    response_format: toFormatField(format),
    tools: tools?.map(({ type, function: { name, description, parameters } }) => ({
      type,
      function: { name, description, parameters },
    })),
  };
}

export function ollamaPromptToChat({
  model,
  prompt = '',
  system,
  format,
  options,
  think,
}: OllamaGenerateRequest): ChatRequest {
  return {
    model: withoutTag(model),
    messages: [
      ...(system ? [{ role: 'system' as const, content: system }] : []),
      { role: 'user', content: prompt },
    ],
    ...optionsOf(options),
    reasoning_effort: toEffort(think),
    response_format: toFormatField(format),
  };
}

function toEffort(think: OllamaChatRequest['think']): ChatRequest['reasoning_effort'] {
  if (typeof think !== 'boolean') return think;
  return think ? 'medium' : 'none';
}

/** Ids are not part of Ollama's form: results belong to the calls before them by name, else in their order. */
function toChatMessages(messages: readonly OllamaMessage[]): ChatMessage[] {
  let open: { id: string; name: string }[] = [];
  return messages.map((message, index) => {
    const { role, content = '', thinking, tool_calls: calls = [], tool_name, tool_call_id } = message;
    const thought = thinking ? { reasoning_content: thinking } : {};
    if (role === 'tool') {
      const named = open.findIndex(({ name }) => name === tool_name);
      const [call] = open.splice(Math.max(0, named), 1);
      return { role, content, tool_call_id: tool_call_id ?? call?.id ?? `call_${index}` };
    }
    if (role !== 'assistant') return { role, content };
    if (calls.length === 0) return { role, content, ...thought };
    const tool_calls = calls.map(({ id, function: { name, arguments: values } }, at) => ({
      id: id ?? `call_${index}_${at}`,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(values) },
    }));
    open = tool_calls.map(({ id, function: { name } }) => ({ id, name }));
    return { role, content: content === '' ? null : content, ...thought, tool_calls };
  });
}

function optionsOf(options: OllamaOptions = {}): Partial<ChatRequest> {
  const { temperature, top_p, top_k, min_p, seed, stop, num_predict = -1 } = options;
  return {
    temperature,
    top_p,
    top_k,
    min_p,
    seed,
    presence_penalty: options.presence_penalty,
    frequency_penalty: options.frequency_penalty,
    // -1 and -2: until the model or its window ends.
    max_tokens: num_predict > 0 ? num_predict : unlimitedTokens,
    ...(stop?.length ? { stop } : {}),
  };
}

function toFormatField(format: OllamaChatRequest['format']): ChatRequest['response_format'] {
  if (format === undefined || format === '') return undefined;
  if (format === 'json') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'format', schema: format, strict: true } };
}
