/** Ollama's requests as the chat requests they stand for. Pure. */

import type {
  OllamaChatRequest,
  OllamaGenerateRequest,
  OllamaMessage,
  OllamaOptions,
} from '../../../api/protocols/ollama.ts';
import type { AskedMessage, ChatRequest, ImagePart } from '../../../api/services/chat.ts';
import { type FieldNames, pictureNames } from '../field-names.ts';
import { unlimitedTokens } from '../limits.ts';

const fields: FieldNames['fields'] = [
  [/^response_format.*/, 'format'],
  [/^max_tokens$/, 'options.num_predict'],
  [/^(temperature|top_p|top_k|min_p|seed|stop|presence_penalty|frequency_penalty)$/, 'options.$1'],
];

export interface OllamaTranslation {
  body: ChatRequest;
  names: FieldNames;
}

/** The text behind its pictures, whose fields are noted. */
function withImages(
  text: string,
  images: readonly string[] = [],
  { field, pictures }: { field: string; pictures: Map<ImagePart, string> },
): NonNullable<AskedMessage['content']> {
  if (images.length === 0) return text;
  const parts = images.map((image, index): ImagePart => {
    const part: ImagePart = { type: 'image_url', image_url: { url: toUrl(image) } };
    pictures.set(part, `${field}[${index}]`);
    return part;
  });
  return text === '' ? parts : [...parts, { type: 'text', text }];
}

const toUrl = (image: string): string => (/^data:/i.test(image) ? image : `data:;base64,${image}`);

/** Ollama's clients add a tag to a name that has none. */
export const withoutTag = (model: string): string => model.replace(/:latest$/, '');

export function ollamaToChat({
  model,
  messages = [],
  tools,
  format,
  options,
  think,
}: OllamaChatRequest): OllamaTranslation {
  const pictures = new Map<ImagePart, string>();
  const made = toChatMessages(messages, pictures);
  const body: ChatRequest = {
    model: withoutTag(model),
    messages: made,
    ...optionsOf(options),
    reasoning_effort: toEffort(think),
    response_format: toFormatField(format),
    tools: tools?.map(({ type, function: { name, description, parameters } }) => ({
      type,
      function: { name, description, parameters },
    })),
  };
  return { body, names: { messages: [], fields, pictures: pictureNames(made, pictures) } };
}

export function ollamaPromptToChat({
  model,
  prompt = '',
  system,
  format,
  options,
  think,
  images,
}: OllamaGenerateRequest): OllamaTranslation {
  const pictures = new Map<ImagePart, string>();
  const messages: AskedMessage[] = [
    ...(system ? [{ role: 'system' as const, content: system }] : []),
    { role: 'user', content: withImages(prompt, images, { field: 'images', pictures }) },
  ];
  const body: ChatRequest = {
    model: withoutTag(model),
    messages,
    ...optionsOf(options),
    reasoning_effort: toEffort(think),
    response_format: toFormatField(format),
  };
  return { body, names: { messages: [], fields, pictures: pictureNames(messages, pictures) } };
}

function toEffort(think: OllamaChatRequest['think']): ChatRequest['reasoning_effort'] {
  if (typeof think !== 'boolean') return think;
  return think ? 'medium' : 'none';
}

/** Ids are not part of Ollama's form: results belong to the calls before them by name, else in their order. */
function toChatMessages(
  messages: readonly OllamaMessage[],
  pictures: Map<ImagePart, string>,
): AskedMessage[] {
  let open: { id: string; name: string }[] = [];
  return messages.map((message, index) => {
    const { role, content = '', images, thinking, tool_calls: calls = [], tool_name, tool_call_id } = message;
    const thought = thinking ? { reasoning_content: thinking } : {};
    const seen = () => withImages(content, images, { field: `messages[${index}].images`, pictures });
    if (role === 'tool') {
      const named = open.findIndex(({ name }) => name === tool_name);
      const [call] = open.splice(Math.max(0, named), 1);
      return { role, content: seen(), tool_call_id: tool_call_id ?? call?.id ?? `call_${index}` };
    }
    if (role !== 'assistant') return { role, content: seen() };
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
