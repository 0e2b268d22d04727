/**
 * Tool calls as model families write them. A family is known by its chat template; what a template does not know is asked for
 * in words. Under a mask the spelling is exact, so that reading it back is exact too.
 */
import { type Acceptor, choice, literal, maskIdOf, sequence } from '../../grammar/acceptor.ts';

export interface ToolCallFormat {
  name: string;
  /** Begins the calls; a control token in some families. */
  trigger: string;
  /** Between the trigger and the name, between name and arguments, and after the arguments. */
  beforeName: string;
  beforeArguments: string;
  afterArguments: string;
  /** Between one call and the next, and after the last. */
  between: string;
  end: string;
  /** Words for the system message where the template has no place for tools. */
  instructions: ((tools: string) => string) | null;
}

const hermes: ToolCallFormat = {
  name: 'hermes',
  trigger: '<tool_call>',
  beforeName: '\n{"name": "',
  beforeArguments: '", "arguments": ',
  afterArguments: '}\n</tool_call>',
  between: '\n<tool_call>',
  end: '',
  instructions: null,
};

/** Llama 3.1 and later: the whole answer is one object. */
const llama: ToolCallFormat = {
  name: 'llama',
  trigger: '{"name": "',
  beforeName: '',
  beforeArguments: '", "parameters": ',
  afterArguments: '}',
  between: '; {"name": "',
  end: '',
  instructions: null,
};

const mistral: ToolCallFormat = {
  name: 'mistral',
  trigger: '[TOOL_CALLS]',
  beforeName: '[{"name": "',
  beforeArguments: '", "arguments": ',
  afterArguments: '}',
  between: ', {"name": "',
  end: ']',
  instructions: null,
};

const phi: ToolCallFormat = {
  name: 'phi',
  trigger: '<|tool_call|>',
  beforeName: '[{"name": "',
  beforeArguments: '", "arguments": ',
  afterArguments: '}',
  between: ', {"name": "',
  end: ']<|/tool_call|>',
  instructions: null,
};

/** For templates without tools (Gemma, older models): Hermes' form, explained. */
const explained: ToolCallFormat = {
  ...hermes,
  name: 'explained',
  instructions: (tools) =>
    `You may call these functions:\n${tools}\nTo call one, write exactly:\n<tool_call>\n{"name": "the function's name", "arguments": {…}}\n</tool_call>\nIf no function helps, answer in words.`,
};

export function toolCallFormatOf(template: string | null): ToolCallFormat {
  if (!template?.includes('tools')) return explained;
  if (template.includes('<tool_call>')) return hermes;
  if (template.includes('[TOOL_CALLS]')) return mistral;
  if (template.includes('<|tool_call|>')) return phi;
  if (template.includes('"parameters"') || template.includes('<|python_tag|>')) return llama;
  return hermes;
}

/** Calls as a model of the family writes them. */
export function writeCalls(
  { afterArguments, beforeArguments, beforeName, between, end, trigger }: ToolCallFormat,
  calls: readonly { name: string; arguments: Record<string, unknown> }[],
): string {
  // Between calls the name follows at once where the family repeats its opening there.
  const repeats = between.endsWith('"name": "');
  const written = calls.map(
    (call, index) =>
      `${index > 0 && repeats ? '' : beforeName}${call.name}${beforeArguments}${JSON.stringify(call.arguments)}${afterArguments}`,
  );
  return `${trigger}${written.join(between)}${end}`;
}

export interface CallableTool {
  name: string;
  arguments: Acceptor;
}

/** The calls behind the trigger: one, or several where `parallel`. */
export function callsAfterTrigger(
  format: ToolCallFormat,
  tools: readonly CallableTool[],
  parallel: boolean,
): Acceptor {
  const call = choice(
    tools.map((tool) =>
      sequence([
        literal(`${format.beforeName}${tool.name}${format.beforeArguments}`),
        tool.arguments,
        literal(format.afterArguments),
      ]),
    ),
  );
  if (!parallel) return sequence([call, literal(format.end)]);
  // Between calls the name follows at once where the family repeats its opening there.
  const repeats = format.between.endsWith('"name": "');
  const again = repeats
    ? choice(
        tools.map((tool) =>
          sequence([
            literal(`${tool.name}${format.beforeArguments}`),
            tool.arguments,
            literal(format.afterArguments),
          ]),
        ),
      )
    : call;
  return new Repeated(call, { between: format.between, again, end: format.end, left: 15 });
}

interface Repetition {
  between: string;
  again: Acceptor;
  end: string;
  /** Calls that may still follow. */
  left: number;
}

/** A call, then its end, or another call. */
class Repeated implements Acceptor {
  private readonly call: Acceptor;
  private readonly how: Repetition;

  constructor(call: Acceptor, how: Repetition) {
    this.call = call;
    this.how = how;
  }

  get id(): string {
    return `{${this.how.left} ${this.call.id}}`;
  }

  get maskId(): string {
    return `{${this.how.left} ${maskIdOf(this.call)}}`;
  }

  step(byte: number): Acceptor | null {
    const next = this.call.step(byte);
    if (next) return new Repeated(next, this.how);
    return this.call.canEnd ? (this.after()?.step(byte) ?? null) : null;
  }

  private after(): Acceptor | null {
    const { between, again, end, left } = this.how;
    const ends = end === '' ? [] : [literal(end)];
    const more =
      left > 0 ? [sequence([literal(between), new Repeated(again, { ...this.how, left: left - 1 })])] : [];
    const options = [...ends, ...more];
    return options.length === 0 ? null : choice(options);
  }

  get canEnd(): boolean {
    return this.how.end === '' && this.call.canEnd;
  }

  get stringRoom(): number | null {
    return this.call.stringRoom;
  }

  get undecided(): Acceptor | null {
    return this.call.undecided;
  }

  endings(): number[] {
    return this.call.canEnd ? (this.after()?.endings() ?? []) : this.call.endings();
  }
}

/** Free text that turns into calls once the trigger has been written. */
export function untilTrigger(trigger: string, calls: Acceptor): Acceptor {
  return new Free(Buffer.from(trigger), calls, 0);
}

class Free implements Acceptor {
  readonly id: string;
  readonly canEnd = true;
  readonly stringRoom = null;
  readonly undecided = null;
  private readonly trigger: Buffer;
  private readonly calls: Acceptor;
  /** Bytes of the trigger that the text ends with. */
  private readonly matched: number;

  constructor(trigger: Buffer, calls: Acceptor, matched: number) {
    this.trigger = trigger;
    this.calls = calls;
    this.matched = matched;
    this.id = `free ${matched} ${trigger.toString()}`;
  }

  step(byte: number): Acceptor {
    const text = Buffer.concat([this.trigger.subarray(0, this.matched), Buffer.of(byte)]);
    for (let length = Math.min(text.length, this.trigger.length); length > 0; length -= 1) {
      if (text.subarray(text.length - length).equals(this.trigger.subarray(0, length))) {
        return length === this.trigger.length ? this.calls : new Free(this.trigger, this.calls, length);
      }
    }
    return this.matched === 0 ? this : new Free(this.trigger, this.calls, 0);
  }

  endings(): number[] {
    return [];
  }
}
