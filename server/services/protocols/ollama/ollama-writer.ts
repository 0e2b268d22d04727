/** One answer of the chat engine in Ollama's lines: pieces of text, whole tool calls, and the counts at the end. Pure. */
import type { OllamaAnswer } from '../../../api/protocols/ollama.ts';
import type { AnswerHead, AnswerWriter, ChoiceEvent, Tokens } from '../../chat/chat-answer.ts';

type Calls = NonNullable<NonNullable<OllamaAnswer['message']>['tool_calls']>;

export interface OllamaWriterOptions {
  /** Of the answer to /api/chat, or to /api/generate. */
  shape: 'message' | 'response';
  /** Milliseconds; durations are its differences. */
  clock: () => number;
  showsThinking: boolean;
}

export class OllamaWriter implements AnswerWriter<OllamaAnswer> {
  readonly #head: Pick<OllamaAnswer, 'model' | 'created_at'>;
  readonly #options: OllamaWriterOptions;
  readonly #startedAt: number;
  #promptAt = 0;
  #reason: 'stop' | 'length' = 'stop';
  #call: { id: string; name: string; text: string } | null = null;

  constructor({ model, created }: AnswerHead, options: OllamaWriterOptions) {
    this.#head = { model, created_at: new Date(created * 1000).toISOString() };
    this.#options = options;
    this.#startedAt = options.clock();
    this.#promptAt = this.#startedAt;
  }

  begin(): OllamaAnswer[] {
    this.#promptAt = this.#options.clock();
    return [];
  }

  add(event: ChoiceEvent): OllamaAnswer[] {
    if (event.kind === 'text') return [this.#line(event.text)];
    if (event.kind === 'arguments') {
      this.#call!.text += event.text;
      return [];
    }
    const called = this.#takeCall();
    if (event.kind === 'tool') this.#call = { id: event.id, name: event.name, text: '' };
    else this.#reason = event.reason === 'length' ? 'length' : 'stop';
    return called;
  }

  addReasoning(_choice: number, thinking: string): OllamaAnswer[] {
    if (!this.#options.showsThinking) return [];
    const line = this.#line('');
    if (line.message === undefined) return [{ ...line, thinking }];
    return [{ ...line, message: { ...line.message, thinking } }];
  }

  end({ promptTokens, completionTokens }: Tokens): OllamaAnswer[] {
    const endedAt = this.#options.clock();
    const nanoseconds = (ms: number) => Math.round(ms * 1e6);
    return [
      {
        ...this.#line(''),
        done: true,
        done_reason: this.#reason,
        total_duration: nanoseconds(endedAt - this.#startedAt),
        prompt_eval_count: promptTokens,
        prompt_eval_duration: nanoseconds(this.#promptAt - this.#startedAt),
        eval_count: completionTokens,
        eval_duration: nanoseconds(endedAt - this.#promptAt),
      },
    ];
  }

  /** The call under way; one whose arguments were cut is no call. */
  #takeCall(): OllamaAnswer[] {
    const call = this.#call;
    this.#call = null;
    if (!call) return [];
    try {
      const values = JSON.parse(call.text) as Record<string, unknown>;
      return [this.#line('', [{ id: call.id, function: { name: call.name, arguments: values } }])];
    } catch {
      return [];
    }
  }

  #line(text: string, tool_calls?: Calls): OllamaAnswer {
    if (this.#options.shape === 'response') return { ...this.#head, response: text, done: false };
    const message = { role: 'assistant' as const, content: text, ...(tool_calls ? { tool_calls } : {}) };
    return { ...this.#head, message, done: false };
  }
}

/** The lines of a stream as one answer. */
export async function joinLines(lines: AsyncIterable<OllamaAnswer>): Promise<OllamaAnswer> {
  let text = '';
  let thought = '';
  let last: OllamaAnswer | undefined;
  const calls: Calls = [];
  for await (const line of lines) {
    text += line.message?.content ?? line.response ?? '';
    thought += line.message?.thinking ?? line.thinking ?? '';
    calls.push(...(line.message?.tool_calls ?? []));
    last = line;
  }
  const thinking = thought === '' ? {} : { thinking: thought };
  if (last!.message === undefined) return { ...last!, response: text, ...thinking };
  const tool_calls = calls.length > 0 ? { tool_calls: calls } : {};
  return { ...last!, message: { role: 'assistant', content: text, ...thinking, ...tool_calls } };
}
