/**
 * Puts values back for their pseudonyms in what a remote engine writes, piece by piece: only what may be the beginning of a
 * pseudonym waits for the next piece. What is put back is not looked at again.
 */
import type { GenerateEvent } from '../../engine/chat/types.ts';

export interface RestoreOptions {
  /** Pseudonym → value. */
  values: ReadonlyMap<string, string>;
  /** The text is JSON: values stand within its strings. */
  json: boolean;
}

const sign = /\[[A-Z0-9_]+\]/g;
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

export class RestoringText {
  #held = '';
  readonly #options: RestoreOptions;

  constructor(options: RestoreOptions) {
    this.#options = options;
  }

  /** As much as can be told now; may be empty. */
  push(piece: string): string {
    const text = this.#held + piece;
    const begun = text.lastIndexOf('[');
    const end = begun >= 0 && this.#mayBegin(text.slice(begun)) ? begun : text.length;
    this.#held = text.slice(end);
    return this.#restore(text.slice(0, end));
  }

  /** The rest, once nothing follows. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  #mayBegin(tail: string): boolean {
    for (const each of this.#options.values.keys())
      if (each.length > tail.length && each.startsWith(tail)) return true;
    return false;
  }

  #restore(text: string): string {
    const { values, json } = this.#options;
    return text.replace(sign, (found) => {
      const value = values.get(found);
      return value === undefined ? found : json ? escaped(value) : value;
    });
  }
}

/** A chat answer with the values back in texts and arguments of tools; log probabilities stay those of the pseudonyms. */
export async function* restoredChat(
  events: AsyncIterable<GenerateEvent>,
  { values, json }: RestoreOptions,
): AsyncGenerator<GenerateEvent> {
  const texts = new Map<number, RestoringText>();
  const calls = new Map<string, { choice: number; call: number; text: RestoringText }>();

  function* rest(choice: number): Generator<GenerateEvent> {
    const text = texts.get(choice)?.end();
    if (text) yield { kind: 'text', choice, text };
    for (const open of calls.values()) {
      const left = open.choice === choice ? open.text.end() : '';
      if (left) yield { kind: 'arguments', choice, call: open.call, text: left };
    }
  }

  for await (const event of events) {
    if (event.kind === 'text') {
      const restoring = texts.get(event.choice) ?? new RestoringText({ values, json });
      texts.set(event.choice, restoring);
      const text = restoring.push(event.text);
      if (text !== '' || event.scores) yield { ...event, text };
    } else if (event.kind === 'arguments') {
      const { choice, call } = event;
      const id = `${choice} ${call}`;
      const open = calls.get(id) ?? { choice, call, text: new RestoringText({ values, json: true }) };
      calls.set(id, open);
      const text = open.text.push(event.text);
      if (text !== '') yield { ...event, text };
    } else {
      if (event.kind === 'tool' || event.kind === 'finish') yield* rest(event.choice);
      yield event;
    }
  }
}
