/** Messages to the prompt a model was trained on, by the pack's chat template. */
import { Template } from '@huggingface/jinja';
import type { ChatMessage, ReasoningEffort, Tool } from '../../../api/services/chat.ts';
import { EngineError } from '../../engine.ts';
import type { Json } from '../../pack-files.ts';
import { type ChatPack, refuseChatPack } from '../pack.ts';
import { createThinkingVariables, type Variables } from './thinking-variables.ts';

export interface PromptParts {
  messages: readonly ChatMessage[];
  tools: readonly Tool[];
  /** Added to the system message. */
  instructions: string | null;
  /** Spellings of control tokens, which no message of a user or tool may write. */
  controlPieces: readonly string[];
  reasoningEffort?: ReasoningEffort | undefined;
}

/** Messages as templates expect them. */
interface TemplateMessage {
  role: string;
  content: string;
  [field: string]: unknown;
}

export interface PromptTemplate {
  /** Strings that end an answer besides the end tokens. */
  stops: readonly string[];
  /** @throws EngineError invalid_value with the template's own refusal */
  render(parts: PromptParts): string;
}

export function createPromptTemplate(pack: ChatPack): PromptTemplate {
  if (pack.template === null) return plainTemplate(pack);
  const template = parse(pack.template);
  const tokens = Object.fromEntries(
    ['bos_token', 'eos_token', 'unk_token', 'pad_token'].map((name) => [name, spelling(pack, name)]),
  );
  const renderWith = (messages: TemplateMessage[], variables: Variables) =>
    template.render({ ...tokens, messages, ...variables, add_generation_prompt: true });
  const thinkingVariables = createThinkingVariables(pack.template, (variables) =>
    renderWith([{ role: 'user', content: 'Hi' }], variables),
  );
  return {
    stops: [],
    render(parts) {
      const messages = toTemplateMessages(parts);
      const variables = {
        ...thinkingVariables(parts.reasoningEffort),
        ...(parts.tools.length > 0 ? { tools: parts.tools } : {}),
      };
      const render = (each: TemplateMessage[]) => renderWith(each, variables);
      let text: string;
      try {
        text = render(messages);
      } catch (refusal) {
        return renderFolded(() => render(foldSystem(messages)), refusal);
      }
      // Others drop what they do not know without a word.
      const dropped = messages.some(
        ({ content, role }) => role === 'system' && !text.includes(content.trim()),
      );
      return dropped ? render(foldSystem(messages)) : text;
    },
  };
}

/** Some templates refuse system messages, or two of one role in a row: then once more without them. */
function renderFolded(render: () => string, refusal: unknown): string {
  try {
    return render();
  } catch {
    const reason = refusal instanceof Error ? refusal.message : String(refusal);
    throw new EngineError(
      'invalid_value',
      `The chat template of the model refuses these messages: ${reason}`,
      'messages',
    );
  }
}

function parse(source: string): Template {
  try {
    return new Template(source);
  } catch {
    throw refuseChatPack('its chat template cannot be parsed.');
  }
}

/** Tokens of tokenizer_config.json are strings or objects. */
function spelling(pack: ChatPack, name: string): string {
  const token = pack.tokenizerConfig[name];
  if (typeof token === 'string') return token;
  const content = (token as Json | null | undefined)?.content;
  return typeof content === 'string' ? content : '';
}

function toTemplateMessages({ messages, instructions, controlPieces }: PromptParts): TemplateMessage[] {
  const converted = messages.map((message) => toTemplateMessage(message, controlPieces));
  if (instructions === null) return converted;
  const [first] = converted;
  if (first?.role === 'system') first.content = `${first.content}\n\n${instructions}`;
  else converted.unshift({ role: 'system', content: instructions });
  return converted;
}

function toTemplateMessage(message: ChatMessage, controlPieces: readonly string[]): TemplateMessage {
  const { content, role, tool_calls: calls, ...rest } = message;
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('');
  const trusted = role === 'system' || role === 'developer' || role === 'assistant';
  return {
    ...rest,
    role: role === 'developer' ? 'system' : role,
    content: trusted ? text : withoutControls(text, controlPieces),
    ...(calls && calls.length > 0 ? { tool_calls: calls.map(toTemplateCall) } : {}),
  };
}

/** Templates write arguments out themselves, so they take them as objects. */
function toTemplateCall(call: NonNullable<ChatMessage['tool_calls']>[number]): unknown {
  const { arguments: text, name } = call.function;
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the model sees what the caller sent.
  }
  return { ...call, function: { name, arguments: value } };
}

/**
 * A user's text must not end their turn and begin another's: a word joiner (U+2060) behind the first character makes a
 * spelled-out control token ordinary text.
 */
function withoutControls(text: string, pieces: readonly string[]): string {
  const split = (piece: string) => `${piece.slice(0, 1)}\u2060${piece.slice(1)}`;
  return pieces.reduce(
    (safe, piece) => (piece.length > 1 ? safe.replaceAll(piece, split(piece)) : safe),
    text,
  );
}

/** The system's words go before the user's first, and neighbours of one role become one message. */
function foldSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const folded: TemplateMessage[] = [];
  for (const message of messages) {
    const turned = message.role === 'system' ? { ...message, role: 'user' } : message;
    const last = folded.at(-1);
    const joins = last && last.role === turned.role && turned.role !== 'tool' && !turned.tool_calls;
    if (joins && !last.tool_calls) last.content = `${last.content}\n\n${turned.content}`;
    else folded.push({ ...turned });
  }
  return folded;
}

/** For models that were never taught a chat format. */
function plainTemplate(pack: ChatPack): PromptTemplate {
  const start = pack.bos === null ? '' : spelling(pack, 'bos_token');
  const names: Record<string, string> = { system: 'System', user: 'User', assistant: 'Assistant' };
  return {
    stops: ['\nUser:', '\nSystem:'],
    render(parts) {
      const lines = toTemplateMessages(parts).map(
        ({ role, content }) => `${names[role] ?? role}: ${content}`,
      );
      return `${start}${[...lines, 'Assistant:'].join('\n')}`;
    },
  };
}
