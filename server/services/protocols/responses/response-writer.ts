/** One answer of the chat engine as a Responses object and the events that build it up. Pure. */
import type { ResponseEvent, ResponseObject, ResponseOutputItem } from '../../../api/protocols/responses.ts';
import type { TokenScore } from '../../../engine/chat/types.ts';
import type { AnswerWriter, ChoiceEvent, Tokens } from '../../chat/chat-answer.ts';

type MessageItem = Extract<ResponseOutputItem, { type: 'message' }>;
type CallItem = Extract<ResponseOutputItem, { type: 'function_call' }>;
type ReasoningItem = Extract<ResponseOutputItem, { type: 'reasoning' }>;
type EventFields = Omit<ResponseEvent, 'sequence_number'>;

export class ResponseWriter implements AnswerWriter<ResponseEvent> {
  /** As it is so far; whole once the events have ended. */
  readonly response: ResponseObject;
  readonly #digits: string;
  #sequence = 0;

  /** @param response with nothing put out yet */
  constructor(response: ResponseObject) {
    this.response = response;
    this.#digits = response.id.slice('resp_'.length);
  }

  begin(): ResponseEvent[] {
    return [
      this.#event({ type: 'response.created', response: { ...this.response } }),
      this.#event({ type: 'response.in_progress', response: { ...this.response } }),
    ];
  }

  add(event: ChoiceEvent): ResponseEvent[] {
    if (event.kind === 'text') return this.#addText(event.text, event.scores ?? []);
    if (event.kind === 'tool') return this.#openCall(event.id, event.name);
    if (event.kind === 'arguments') return this.#addArguments(event.text);
    const filtered = event.reason === 'content_filter';
    const cut = filtered || event.reason === 'length';
    const { output } = this.response;
    const isEmpty = output.every(({ type }) => type === 'reasoning');
    const opened = isEmpty && !(cut && output.length > 0) ? this.#openMessage() : [];
    const closed = this.#close(cut ? 'incomplete' : 'completed');
    this.response.status = cut ? 'incomplete' : 'completed';
    if (cut) this.response.incomplete_details = { reason: filtered ? 'content_filter' : 'max_output_tokens' };
    return [...opened, ...closed];
  }

  end(tokens: Tokens): ResponseEvent[] {
    const { response } = this;
    response.usage = toResponseUsage(tokens);
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    return [this.#event({ type, response: { ...response } })];
  }

  /** Thinking is shown where the request asks for its summary; there is no other than itself. */
  addReasoning(_choice: number, text: string): ResponseEvent[] {
    if (this.response.reasoning.summary === null) return [];
    const isOpen = this.response.output.at(-1)?.type === 'reasoning';
    const opened = isOpen ? [] : this.#openReasoning();
    (this.response.output.at(-1) as ReasoningItem).summary[0]!.text += text;
    const type = 'response.reasoning_summary_text.delta' as const;
    return [...opened, this.#event({ type, ...this.#place, summary_index: 0, delta: text })];
  }

  #openReasoning(): ResponseEvent[] {
    const part = { type: 'summary_text' as const, text: '' };
    const item: ReasoningItem = {
      type: 'reasoning',
      id: this.#itemId('rs'),
      status: 'in_progress',
      summary: [part],
    };
    const added = this.#open(item);
    const type = 'response.reasoning_summary_part.added' as const;
    return [...added, this.#event({ type, ...this.#place, summary_index: 0, part: { ...part } })];
  }

  get #place() {
    const output_index = this.response.output.length - 1;
    return { output_index, item_id: this.response.output[output_index]!.id };
  }

  #event(fields: EventFields): ResponseEvent {
    const { type, ...rest } = fields;
    return { type, sequence_number: this.#sequence++, ...rest };
  }

  #open(item: ResponseOutputItem): ResponseEvent[] {
    const closed = this.#close('completed');
    this.response.output.push(item);
    const shown = emptied(item);
    const { output_index } = this.#place;
    return [...closed, this.#event({ type: 'response.output_item.added', output_index, item: shown })];
  }

  /** Ids are the answer's own digits, so that a test key gets the same each time. */
  #itemId = (prefix: string) => `${prefix}_${this.#digits}${this.response.output.length.toString(16)}`;

  #openMessage(): ResponseEvent[] {
    const part = { type: 'output_text' as const, text: '', annotations: [], logprobs: [] };
    const item: MessageItem = {
      type: 'message',
      id: this.#itemId('msg'),
      role: 'assistant',
      status: 'in_progress',
      content: [part],
    };
    const added = this.#open(item);
    return [
      ...added,
      this.#event({
        type: 'response.content_part.added',
        ...this.#place,
        content_index: 0,
        part: { ...part },
      }),
    ];
  }

  #addText(text: string, scores: readonly TokenScore[]): ResponseEvent[] {
    const isOpen = this.response.output.at(-1)?.type === 'message';
    const opened = isOpen ? [] : this.#openMessage();
    const part = (this.response.output.at(-1) as MessageItem).content[0]!;
    const logprobs = scores.map(toResponseLogprob);
    part.text += text;
    part.logprobs.push(...logprobs);
    const type = 'response.output_text.delta' as const;
    return [...opened, this.#event({ type, ...this.#place, content_index: 0, delta: text, logprobs })];
  }

  #openCall(callId: string, name: string): ResponseEvent[] {
    const item: CallItem = {
      type: 'function_call',
      id: this.#itemId('fc'),
      status: 'in_progress',
      call_id: callId,
      name,
      arguments: '',
    };
    return this.#open(item);
  }

  #addArguments(text: string): ResponseEvent[] {
    (this.response.output.at(-1) as CallItem).arguments += text;
    return [this.#event({ type: 'response.function_call_arguments.delta', ...this.#place, delta: text })];
  }

  /** The item under way, if any, is over. */
  #close(status: 'completed' | 'incomplete'): ResponseEvent[] {
    const item = this.response.output.at(-1);
    if (!item) return [];
    item.status = status;
    const { output_index, item_id } = this.#place;
    const done = this.#closeParts(item, item_id, output_index);
    return [...done, this.#event({ type: 'response.output_item.done', output_index, item: { ...item } })];
  }

  #closeParts(item: ResponseOutputItem, item_id: string, output_index: number): ResponseEvent[] {
    if (item.type === 'function_call') {
      const type = 'response.function_call_arguments.done' as const;
      const { name, arguments: all } = item;
      return [this.#event({ type, item_id, output_index, name, arguments: all })];
    }
    if (item.type === 'reasoning') {
      const part = item.summary[0]!;
      const place = { item_id, output_index, summary_index: 0 as const };
      return [
        this.#event({ type: 'response.reasoning_summary_text.done', ...place, text: part.text }),
        this.#event({ type: 'response.reasoning_summary_part.done', ...place, part: { ...part } }),
      ];
    }
    const part = item.content[0]!;
    const place = { item_id, output_index, content_index: 0 };
    const { text, logprobs } = part;
    return [
      this.#event({ type: 'response.output_text.done', ...place, text, logprobs }),
      this.#event({ type: 'response.content_part.done', ...place, part }),
    ];
  }
}

/** An item as it is shown when it is added. */
function emptied(item: ResponseOutputItem): ResponseOutputItem {
  if (item.type === 'message') return { ...item, content: [] };
  return item.type === 'reasoning' ? { ...item, summary: [] } : { ...item };
}

const toResponseLogprob = ({ token, logprob, bytes, top }: TokenScore) => ({
  token,
  logprob,
  bytes: bytes ?? [],
  top_logprobs: top.map((each) => ({ ...each, bytes: each.bytes ?? [] })),
});

const toResponseUsage = ({
  promptTokens,
  completionTokens,
  reasoningTokens = 0,
}: Tokens): ResponseObject['usage'] => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: promptTokens + completionTokens,
});
