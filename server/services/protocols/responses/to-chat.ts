/** A Responses request as the chat request it stands for. Pure. */

import type { ResponseInputItem, ResponsesRequest } from '../../../api/protocols/responses.ts';
import type { AskedMessage, ChatRequest, ImagePart } from '../../../api/services/chat.ts';
import { type FieldNames, pictureNames } from '../field-names.ts';
import { unlimitedTokens } from '../limits.ts';

type MessageItem = Extract<ResponseInputItem, { role: string }>;

export interface ChatTranslation {
  body: ChatRequest;
  names: FieldNames;
}

/** @param earlier messages of the conversation that the request goes on with */
export function responsesToChat(
  request: ResponsesRequest,
  earlier: readonly AskedMessage[],
): ChatTranslation {
  const { instructions, text, tools, tool_choice: choice, include = [] } = request;
  const input = inputMessages(request.input);
  const system: AskedMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  const logprobs = include.includes('message.output_text.logprobs');
  const messages = [...system, ...earlier, ...input.messages];
  return {
    body: {
      model: request.model,
      messages,
      max_tokens: request.max_output_tokens ?? unlimitedTokens,
      temperature: request.temperature,
      top_p: request.top_p,
      seed: request.seed,
      ...(logprobs ? { logprobs, top_logprobs: request.top_logprobs ?? 0 } : {}),
      response_format: toResponseFormat(text?.format),
      tools: tools?.map(({ type, ...definition }) => ({ type, function: definition })),
      tool_choice:
        typeof choice === 'object' ? { type: choice.type, function: { name: choice.name } } : choice,
      parallel_tool_calls: request.parallel_tool_calls,
      reasoning_effort: request.reasoning?.effort,
      user: request.user,
    },
    names: {
      messages: [
        ...system.map(() => 'instructions'),
        ...earlier.map(() => 'previous_response_id'),
        ...input.origins,
      ],
      pictures: pictureNames(messages, input.pictures),
      fields: [
        [/^messages\b.*/, 'input'],
        [/^max_tokens$/, 'max_output_tokens'],
        [/^reasoning_effort$/, 'reasoning.effort'],
        [/^tools\[(\d+)\]\.function/, 'tools[$1]'],
        [/^tool_choice\.function/, 'tool_choice'],
        [/^response_format\.json_schema/, 'text.format'],
        [/^response_format/, 'text.format'],
      ],
    },
  };
}

function toResponseFormat(
  format: NonNullable<ResponsesRequest['text']>['format'],
): ChatRequest['response_format'] {
  if (format?.type !== 'json_schema') return format;
  const { type, ...definition } = format;
  return { type, json_schema: definition };
}

interface Conversation {
  messages: AskedMessage[];
  /** Of each message, the field that it was made from first. */
  origins: string[];
  /** Of each picture, its field. */
  pictures: Map<ImagePart, string>;
}

/** The input's items as chat messages: calls join the assistant's message before them, thinking the one behind it. */
export function inputMessages(input: ResponsesRequest['input']): Conversation {
  if (typeof input === 'string') {
    return { messages: [{ role: 'user', content: input }], origins: ['input'], pictures: new Map() };
  }
  const messages: AskedMessage[] = [];
  const origins: string[] = [];
  const pictures: Conversation['pictures'] = new Map();
  let thought = '';
  const add = (message: AskedMessage, index: number) => {
    const isThought = thought !== '' && message.role === 'assistant';
    messages.push(isThought ? { ...message, reasoning_content: thought } : message);
    thought = '';
    origins.push(`input[${index}]`);
  };
  for (const [index, item] of input.entries()) {
    if (item.type === 'reasoning') {
      thought = (item.summary ?? []).map(({ text }) => text).join('\n\n');
      continue;
    }
    if (item.type === 'function_call_output') {
      add(
        {
          role: 'tool',
          tool_call_id: item.call_id,
          content: toContent(item.output, `input[${index}].output`, pictures),
        },
        index,
      );
    } else if (item.type === 'function_call') {
      const call = {
        id: item.call_id,
        type: 'function' as const,
        function: { name: item.name, arguments: item.arguments },
      };
      const last = messages.at(-1);
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
      else add({ role: 'assistant', content: null, tool_calls: [call] }, index);
    } else
      add({ role: item.role, content: toContent(item.content, `input[${index}].content`, pictures) }, index);
  }
  return { messages, origins, pictures };
}

/** Plain text where there is no picture. */
function toContent(
  content: MessageItem['content'],
  field: string,
  pictures: Conversation['pictures'],
): NonNullable<AskedMessage['content']> {
  if (typeof content === 'string') return content;
  const parts = content.map((part, index) => {
    if (part.type !== 'input_image')
      return { type: 'text' as const, text: part.type === 'refusal' ? part.refusal : part.text };
    const image: ImagePart = { type: 'image_url', image_url: { url: part.image_url } };
    pictures.set(image, `${field}[${index}].image_url`);
    return image;
  });
  const texts = parts.filter((part) => part.type === 'text');
  return texts.length === parts.length ? texts.map(({ text }) => text).join('') : parts;
}
