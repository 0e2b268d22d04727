/** One choice's tokens as events: whole characters, stop strings taken out, tool calls told from text, scores in step. */

import type { Vocabulary } from '../../grammar/vocabulary.ts';
import type { OutputParser, OutputPart } from '../output/compiled-output.ts';
import type { LogProbabilities, TokenLogProbability } from '../sampling/log-probabilities.ts';
import type { GenerateEvent, TokenScore } from '../types.ts';
import { Detokenizer, type DetokenizerOptions } from './detokenizer.ts';
import { StopStrings } from './stop-strings.ts';

export interface ChoiceOutputOptions extends DetokenizerOptions {
  choice: number;
  vocabulary: Vocabulary;
  stop: readonly string[];
  parser: OutputParser | null;
  /** An answer that a stop string cuts is not whole (compiled-output.ts). */
  isStructured: boolean;
}

export class ChoiceOutput {
  readonly #choice: number;
  readonly #vocabulary: Vocabulary;
  readonly #detokenizer: Detokenizer;
  readonly #stops: StopStrings;
  readonly #parser: OutputParser | null;
  readonly #isStructured: boolean;
  #calls = 0;
  /** Scores of tokens whose text is held back, each with where its text ends. */
  #scores: { end: number; score: TokenScore }[] = [];
  #decoded = 0;
  #emitted = 0;

  constructor({ choice, vocabulary, stop, parser, isStructured, ...detokenizing }: ChoiceOutputOptions) {
    this.#choice = choice;
    this.#vocabulary = vocabulary;
    this.#detokenizer = new Detokenizer(vocabulary, detokenizing);
    this.#stops = new StopStrings(stop);
    this.#parser = parser;
    this.#isStructured = isStructured;
  }

  /** A stop string was reached: no more tokens are wanted. */
  get stopped(): boolean {
    return this.#stops.stopped;
  }

  push(token: number, probabilities: LogProbabilities | null): GenerateEvent[] {
    const decoded = this.#detokenizer.push(token);
    this.#decoded += decoded.length;
    if (probabilities) this.#scores.push({ end: this.#decoded, score: this.#toScore(probabilities) });
    return this.#emit(
      this.#stops.push(decoded),
      (text) => this.#parser?.push(text) ?? [{ kind: 'text', text }],
    );
  }

  finish(found: 'stop' | 'length', tokens: number): GenerateEvent[] {
    const reason = this.#isCut() ? 'length' : found;
    const text = this.#stops.end();
    const parts = (rest: string): OutputPart[] =>
      this.#parser
        ? [...(rest === '' ? [] : this.#parser.push(rest)), ...this.#parser.end()]
        : [{ kind: 'text', text: rest }];
    const events = this.#emit(text, parts, true);
    const called = this.#calls > 0 && reason === 'stop';
    const stop = this.#stops.found;
    return [
      ...events,
      {
        kind: 'finish',
        choice: this.#choice,
        reason: called ? 'tool_calls' : reason,
        tokens,
        ...(stop === null ? {} : { stop }),
      },
    ];
  }

  /** By a stop string, where the answer was not whole: `stop` would say that it is. */
  #isCut(): boolean {
    if (!this.stopped) return false;
    if (!this.#parser) return this.#isStructured;
    return this.#parser.isInCall || (this.#isStructured && this.#calls === 0);
  }

  #emit(text: string, parse: (text: string) => OutputPart[], last = false): GenerateEvent[] {
    if (text === '' && !last) return [];
    this.#emitted += text.length;
    const parts = parse(text).filter((part) => part.kind === 'tool' || part.text !== '');
    const scores = this.#takeScores(last && !this.stopped);
    const events: GenerateEvent[] = [];
    for (const part of parts) {
      if (part.kind === 'tool') this.#calls += 1;
      if (part.kind === 'text' && scores.length > 0)
        events.push(this.#withScores(part.text, scores.splice(0)));
      else events.push({ ...part, choice: this.#choice });
    }
    // Tokens without text of their own (half a character at the end) still were generated.
    if (scores.length > 0 && parts.length === 0 && !this.#parser) events.push(this.#withScores('', scores));
    return events;
  }

  #withScores(text: string, scores: TokenScore[]): GenerateEvent {
    return { kind: 'text', choice: this.#choice, text, scores };
  }

  /** Those of tokens whose text has left; all of them at the end. */
  #takeScores(all: boolean): TokenScore[] {
    const count = all
      ? this.#scores.length
      : this.#scores.findLastIndex(({ end }) => end <= this.#emitted) + 1;
    return this.#scores.splice(0, count).map(({ score }) => score);
  }

  #toScore({ chosen, top }: LogProbabilities): TokenScore {
    return { ...this.#toEntry(chosen), top: top.map((entry) => this.#toEntry(entry)) };
  }

  #toEntry({ id, logprob }: TokenLogProbability): { token: string; logprob: number; bytes: number[] | null } {
    const bytes = this.#vocabulary.bytesOf(id);
    return { token: Buffer.from(bytes).toString('utf8'), logprob, bytes: [...bytes] };
  }
}
