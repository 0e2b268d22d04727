/** One answer of the chat engine as an Anthropic message and the events that build it up. Pure. */
import type { AnswerBlock, Message, MessageEvent } from '../../../api/protocols/messages.ts';
import type { FinishReason } from '../../../engine/chat/types.ts';
import type { AnswerHead, AnswerWriter, ChoiceEvent, Tokens } from '../../chat/chat-answer.ts';

interface MessageWriterOptions {
  maxTokens: number;
  stopSequences: readonly string[];
  showsThinking: boolean;
}

export class MessageWriter implements AnswerWriter<MessageEvent> {
  /** As it is so far; whole once the events have ended. */
  readonly message: Message;
  readonly #options: MessageWriterOptions;
  /** Of the call under way. */
  #arguments: string | null = null;
  #tokens = 0;

  constructor({ id, model }: AnswerHead, options: MessageWriterOptions) {
    this.#options = options;
    this.message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: toMessageUsage({ promptTokens: 0, completionTokens: 0 }),
    };
  }

  begin(tokens: Tokens): MessageEvent[] {
    this.message.usage = toMessageUsage(tokens);
    return [{ type: 'message_start', message: { ...this.message, content: [] } }];
  }

  add(event: ChoiceEvent): MessageEvent[] {
    if (event.kind === 'text') return this.#addText(event.text);
    if (event.kind === 'tool') return this.#openCall(event.id, event.name);
    if (event.kind === 'arguments') return this.#addArguments(event.text);
    const closed = this.#close();
    this.#tokens = event.tokens;
    this.#stop(event.reason, event.stop);
    return closed;
  }

  addReasoning(_choice: number, text: string): MessageEvent[] {
    if (!this.#options.showsThinking) return [];
    const isOpen = this.message.content.at(-1)?.type === 'thinking';
    const opened = isOpen ? [] : this.#open({ type: 'thinking', thinking: '', signature: '' });
    const block = this.message.content.at(-1)!;
    if (block.type === 'thinking') block.thinking += text;
    const delta = { type: 'thinking_delta' as const, thinking: text };
    return [...opened, { type: 'content_block_delta', index: this.#index, delta }];
  }

  end(tokens: Tokens): MessageEvent[] {
    const { message } = this;
    message.usage = toMessageUsage(tokens);
    const { stop_reason, stop_sequence, usage } = message;
    return [
      { type: 'message_delta', delta: { stop_reason: stop_reason!, stop_sequence }, usage },
      { type: 'message_stop' },
    ];
  }

  get #index(): number {
    return this.message.content.length - 1;
  }

  #open(content_block: AnswerBlock): MessageEvent[] {
    const closed = this.#close();
    this.message.content.push({ ...content_block });
    return [...closed, { type: 'content_block_start', index: this.#index, content_block }];
  }

  #addText(text: string): MessageEvent[] {
    const isOpen = this.message.content.at(-1)?.type === 'text';
    const opened = isOpen ? [] : this.#open({ type: 'text', text: '', citations: null });
    const block = this.message.content.at(-1)!;
    if (block.type === 'text') block.text += text;
    const delta = { type: 'text_delta' as const, text };
    return [...opened, { type: 'content_block_delta', index: this.#index, delta }];
  }

  #openCall(id: string, name: string): MessageEvent[] {
    const opened = this.#open({ type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } });
    this.#arguments = '';
    return opened;
  }

  #addArguments(text: string): MessageEvent[] {
    this.#arguments += text;
    const delta = { type: 'input_json_delta' as const, partial_json: text };
    return [{ type: 'content_block_delta', index: this.#index, delta }];
  }

  /** Arguments that were cut are no value: the events have shown them, the whole message goes without the call. */
  #close(): MessageEvent[] {
    if (this.#index < 0) return [];
    const stop = { type: 'content_block_stop' as const, index: this.#index };
    const block = this.message.content.at(-1)!;
    if (block.type === 'tool_use' && this.#arguments !== null) {
      const input = parseObject(this.#arguments);
      if (input === undefined) this.message.content.pop();
      else block.input = input;
      this.#arguments = null;
    }
    return [stop];
  }

  #stop(reason: FinishReason, stop: string | undefined): void {
    const { maxTokens, stopSequences } = this.#options;
    const stopped = stop !== undefined && stopSequences.includes(stop) ? stop : null;
    this.message.stop_sequence = stopped;
    if (stopped !== null) this.message.stop_reason = 'stop_sequence';
    else if (reason === 'length') {
      this.message.stop_reason = this.#tokens < maxTokens ? 'model_context_window_exceeded' : 'max_tokens';
    } else if (reason === 'content_filter') this.message.stop_reason = 'refusal';
    else this.message.stop_reason = reason === 'tool_calls' ? 'tool_use' : 'end_turn';
  }
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const toMessageUsage = ({ promptTokens, completionTokens }: Tokens): Message['usage'] => ({
  input_tokens: promptTokens,
  output_tokens: completionTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  service_tier: 'standard',
});
