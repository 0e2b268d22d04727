/** A thread of the server's own process that answers one question at a time, each within a deadline. */
import { SupervisedWorker } from './supervised-worker.ts';

export interface AskedThreadRules {
  entry: URL;
  deadlineMs: number;
  /** The question keeps the thread busy, or takes more memory than it may have. */
  tooComplex: () => Error;
  /** The thread ended without an answer. */
  broken: () => Error;
}

export class AskedThread<Question, Answer> {
  readonly #worker: SupervisedWorker;
  readonly #broken: () => Error;

  constructor({ entry, deadlineMs, tooComplex, broken }: AskedThreadRules) {
    this.#broken = broken;
    this.#worker = new SupervisedWorker(
      {
        entry,
        maxHeapMb: 256,
        // The process is the server's, whose memory says nothing of a question.
        maxResidentBytes: Number.POSITIVE_INFINITY,
        idleMs: 30_000,
        tooSlow: tooComplex,
        tooLarge: tooComplex,
        broken,
      },
      { openMs: deadlineMs, stallMs: deadlineMs },
    );
  }

  /** @throws Error of the rules */
  async ask(question: Question): Promise<Answer> {
    const answers = this.#worker.exchange<Question, Answer, Answer>(
      new AbortController().signal,
      async function* (talk) {
        talk.post(question);
        yield await talk.next();
      },
    );
    for await (const answer of answers) return answer;
    throw this.#broken();
  }
}
