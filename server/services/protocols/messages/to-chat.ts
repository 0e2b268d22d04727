/** A Messages request as the chat request it stands for. Pure. */

import type { CountTokensRequest, MessageParam, MessagesRequest } from '../../../api/protocols/messages.ts';
import type { AskedMessage, ChatRequest, ImagePart } from '../../../api/services/chat.ts';
import { ApiError } from '../../../errors.ts';
import { type FieldNames, pictureNames } from '../field-names.ts';

type Content = MessageParam['content'];
type Block = Exclude<Content, string>[number];
type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

/** @throws ApiError invalid_value where the conversation is not one that an answer can follow */
export function messagesToChat(request: MessagesRequest | CountTokensRequest): {
  body: ChatRequest;
  names: FieldNames;
} {
  const { system, tools, tool_choice: choice, output_config: output, thinking } = request;
  const { messages, origins, pictures } = conversationOf(request.messages);
  const head: AskedMessage[] = system ? [{ role: 'system', content: textOf(system) }] : [];
  return {
    body: {
      model: request.model,
      messages: [...head, ...messages],
      ...('max_tokens' in request ? samplingOf(request) : {}),
      response_format: output?.format && {
        type: 'json_schema',
        json_schema: { name: 'output', schema: output.format.schema, strict: true },
      },
      tools: tools?.map(({ name, description, input_schema: parameters, strict }) => ({
        type: 'function',
        function: { name, description, parameters, strict },
      })),
      reasoning_effort: toEffort(thinking, output?.effort),
      tool_choice: toToolChoice(choice),
      parallel_tool_calls: !(
        choice &&
        'disable_parallel_tool_use' in choice &&
        choice.disable_parallel_tool_use
      ),
    },
    names: {
      messages: [...head.map(() => 'system'), ...origins],
      pictures: pictureNames([...head, ...messages], pictures),
      fields: [
        [/^tools\[(\d+)\]\.function\.parameters/, 'tools[$1].input_schema'],
        [/^tools\[(\d+)\]\.function/, 'tools[$1]'],
        [/^tool_choice\.function/, 'tool_choice'],
        [/^response_format(?:\.json_schema)?/, 'output_config.format'],
        [/^stop$/, 'stop_sequences'],
      ],
    },
  };
}

const samplingOf = (request: MessagesRequest): Partial<ChatRequest> => ({
  max_tokens: request.max_tokens,
  temperature: request.temperature,
  top_p: request.top_p,
  top_k: request.top_k,
  seed: request.seed,
  ...(request.stop_sequences?.length ? { stop: request.stop_sequences } : {}),
  user: request.metadata?.user_id,
});

function toEffort(
  thinking: MessagesRequest['thinking'],
  effort: NonNullable<MessagesRequest['output_config']>['effort'],
): ChatRequest['reasoning_effort'] {
  if (thinking?.type === 'disabled') return 'none';
  if (effort) return effort === 'max' ? 'xhigh' : effort;
  return thinking && 'medium';
}

function toToolChoice(choice: MessagesRequest['tool_choice']): ChatRequest['tool_choice'] {
  if (choice?.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice?.type === 'any' ? 'required' : choice?.type;
}

/** Blocks are paragraphs of their own. */
const textOf = (content: string | readonly { text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n\n');

type Pictures = Map<ImagePart, string>;

/** The part of a chat for a block; a picture's field is noted. */
function toPart(block: BlockOf<'text'> | BlockOf<'image'>, field: string, pictures: Pictures): Part {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const { source } = block;
  const isData = source.type === 'base64';
  const url = isData ? `data:${source.media_type};base64,${source.data}` : source.url;
  const part: ImagePart = { type: 'image_url', image_url: { url } };
  pictures.set(part, `${field}.source.${isData ? 'data' : 'url'}`);
  return part;
}

type Part = ImagePart | { type: 'text'; text: string };

/** Plain text where there is no picture. */
const toContent = (parts: readonly Part[]): string | Part[] => {
  const texts = parts.filter((part) => part.type === 'text');
  if (texts.length === parts.length) return textOf(texts);
  return parts.map((part, index) =>
    part.type === 'text' && parts[index + 1]?.type === 'text' ? { ...part, text: `${part.text}\n\n` } : part,
  );
};

function conversationOf(params: readonly MessageParam[]): {
  messages: AskedMessage[];
  origins: string[];
  pictures: Pictures;
} {
  const messages: AskedMessage[] = [];
  const origins: string[] = [];
  const pictures: Pictures = new Map();
  for (const [index, { role, content }] of params.entries()) {
    const field = `messages[${index}]`;
    const made =
      role === 'assistant' ? [fromAssistant(content, field)] : fromUser(content, { field, role, pictures });
    messages.push(...made);
    origins.push(...made.map(() => `${field}.content`));
  }
  if (params.at(-1)!.role === 'assistant') {
    const param = `messages[${params.length - 1}].role`;
    throw new ApiError(
      'invalid_value',
      `${param}: the last message must be the user’s; no answer is continued.`,
      {
        param,
      },
    );
  }
  return { messages, origins, pictures };
}

/** Results of tools are messages of their own, in the order of the blocks; texts in a row are one. */
function fromUser(
  content: Content,
  { field, role, pictures }: { field: string; role: 'user' | 'system'; pictures: Pictures },
): AskedMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const messages: AskedMessage[] = [];
  let parts: Part[] = [];
  const close = () => {
    if (parts.length > 0) messages.push({ role, content: toContent(parts) });
    parts = [];
  };
  for (const [index, block] of content.entries()) {
    const place = `${field}.content[${index}]`;
    if (block.type === 'tool_result' && role === 'user') {
      close();
      messages.push(fromToolResult(block, place, pictures));
    } else if (block.type === 'text' || (block.type === 'image' && role === 'user')) {
      parts.push(toPart(block, place, pictures));
    } else throw misplaced(place, block.type, role);
  }
  close();
  return messages;
}

function fromToolResult(
  { tool_use_id, content = '', is_error }: BlockOf<'tool_result'>,
  field: string,
  pictures: Pictures,
): AskedMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const parts = blocks.map((block, index) => toPart(block, `${field}.content[${index}]`, pictures));
  const made = toContent(parts);
  // The chat format has no place for it, and a model must not take an error for a result.
  const failed =
    typeof made === 'string' ? `Error: ${made}` : [{ type: 'text' as const, text: 'Error: ' }, ...made];
  return { role: 'tool', tool_call_id: tool_use_id, content: is_error === true ? failed : made };
}

function fromAssistant(content: Content, field: string): AskedMessage {
  if (typeof content === 'string') return { role: 'assistant', content };
  const texts: BlockOf<'text'>[] = [];
  const thoughts: string[] = [];
  const calls: NonNullable<AskedMessage['tool_calls']> = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'text') texts.push(block);
    else if (block.type === 'thinking') thoughts.push(block.thinking ?? '');
    else if (block.type === 'tool_use') {
      const call = { name: block.name, arguments: JSON.stringify(block.input) };
      calls.push({ id: block.id, type: 'function', function: call });
    } else if (block.type === 'tool_result' || block.type === 'image')
      throw misplaced(`${field}.content[${index}]`, block.type, 'assistant');
  }
  return {
    role: 'assistant',
    content: texts.length > 0 || calls.length === 0 ? textOf(texts) : null,
    ...(thoughts.some(Boolean) ? { reasoning_content: thoughts.join('\n\n') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

const misplaced = (place: string, type: string, role: string): ApiError =>
  new ApiError('invalid_value', `${place}: ${type} is nothing that ${role} messages hold.`, {
    param: `${place}.type`,
  });
