/** The texts of a chat that are its people's own: messages, arguments of tool calls, stop strings. Tools and schemas are not. */
import type { ChatMessage, ToolCall } from '../../api/services/chat.ts';
import type { GenerateParams } from '../../engine/chat/types.ts';

type MapText = (text: string) => string;

/** Fields of messages that this server does not know are left out: nobody looked at them. */
export const mapTexts = (params: GenerateParams, map: MapText): GenerateParams => ({
  ...params,
  messages: params.messages.map((message) => mapMessage(message, map)),
  stop: params.stop.map(map),
  ...(params.raw && {
    raw: { text: map(params.raw.text), suffix: params.raw.suffix === null ? null : map(params.raw.suffix) },
  }),
});

function mapMessage(message: ChatMessage, map: MapText): ChatMessage {
  const { content, name, reasoning_content: reasoning, role, tool_call_id: id, tool_calls: calls } = message;
  return {
    role,
    // Of a tool it is a function's name, of anybody else a person's.
    ...(name !== undefined && role === 'tool' ? { name } : {}),
    ...(content === undefined ? {} : { content: mapContent(content, map) }),
    ...(reasoning === undefined ? {} : { reasoning_content: map(reasoning) }),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => mapCall(call, map)) }),
    ...(id === undefined ? {} : { tool_call_id: id }),
  };
}

const mapContent = (content: NonNullable<ChatMessage['content']> | null, map: MapText) =>
  content === null || typeof content === 'string'
    ? content && map(content)
    : content.map(({ text }) => ({ type: 'text' as const, text: map(text) }));

const mapCall = ({ function: { arguments: text, name }, id }: ToolCall, map: MapText): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: mapArguments(text, map) },
});

/** String by string, since a value may stand there escaped; what is no JSON, as a text. */
function mapArguments(text: string, map: MapText): string {
  const whole = map(text);
  try {
    const before: unknown = JSON.parse(text);
    const after = mapValues(before, map);
    return JSON.stringify(after) === JSON.stringify(before) ? text : JSON.stringify(after);
  } catch {
    return whole;
  }
}

function mapValues(value: unknown, map: MapText): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value === 'number') {
    const mapped = map(String(value));
    return mapped === String(value) ? value : mapped;
  }
  if (Array.isArray(value)) return value.map((each) => mapValues(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapValues(each, map)]));
}
