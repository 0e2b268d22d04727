/**
 * The engine's side of the threads that make masks. Requests of one owner share a thread while another is to be had, so that a
 * costly schema keeps its own owner waiting and nobody else.
 */
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../engine.ts';
import type { Vocabulary } from '../../grammar/vocabulary.ts';
import type { OutputRequest } from './compiled-output.ts';
import type { FromMaskThread, MaskThreadData, ToMaskThread } from './mask-messages.ts';
import type { RequestMasks, SequenceMasks } from './masks.ts';

const mostThreads = 3;
/** A thread that serves nobody ends after so long. */
const idleMs = 60_000;
/** Far more than a schema's budget of work takes: a thread that does not answer by then is ended. */
const answerMs = 20_000;

const entry = new URL(`./mask-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

type Masks = (Uint32Array | null)[];

export interface MaskOwner {
  owner: string;
  signal: AbortSignal;
}

export class MaskThreads {
  readonly #data: () => MaskThreadData;
  readonly #threads = new Set<MaskThread>();

  constructor(vocabulary: Vocabulary, template: string | null) {
    this.#data = () => ({ vocabulary: vocabulary.toData(), template });
  }

  /** @throws EngineError invalid_value that names the keyword of a schema that cannot be honoured; the signal's reason */
  async compile(output: OutputRequest, { owner, signal }: MaskOwner): Promise<RequestMasks> {
    signal.throwIfAborted();
    const request = this.#threadFor(owner).begin(owner);
    try {
      await request.compile(output, signal);
      return request;
    } catch (error) {
      request.close();
      throw error;
    }
  }

  #threadFor(owner: string): MaskThread {
    const threads = [...this.#threads];
    const found = threads.find((thread) => thread.serves(owner)) ?? threads.find(({ isIdle }) => isIdle);
    if (found) return found;
    if (threads.length >= mostThreads)
      return threads.reduce((least, thread) => (thread.load < least.load ? thread : least));
    const thread = new MaskThread(this.#data(), () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }
}

class MaskThread {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #asked = new Map<number, PromiseWithResolvers<Masks>>();
  /** Owners of the requests under way, by the request's number. */
  readonly #owners = new Map<number, string>();
  #next = 1;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(data: MaskThreadData, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(entry, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
    this.#worker.unref();
    this.#worker.on('message', (message: FromMaskThread) => this.#answered(message));
    this.#worker.on('error', () => this.#end(broken()));
    this.#worker.on('exit', () => this.#end(broken()));
  }

  get load(): number {
    return this.#owners.size;
  }

  get isIdle(): boolean {
    return this.#owners.size === 0;
  }

  serves(owner: string): boolean {
    return [...this.#owners.values()].includes(owner);
  }

  begin(owner: string): MaskedRequest {
    clearTimeout(this.#idle);
    const request = this.#next++;
    this.#owners.set(request, owner);
    return new MaskedRequest(this, request);
  }

  leave(request: number): void {
    if (!this.#owners.delete(request) || this.#ended) return;
    this.#worker.postMessage({ type: 'close', request } satisfies ToMaskThread);
    if (this.isIdle) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  ask(message: (id: number) => Exclude<ToMaskThread, { type: 'close' }>): Promise<Masks> {
    const asked = Promise.withResolvers<Masks>();
    if (this.#ended) {
      asked.reject(broken());
      return asked.promise;
    }
    const id = this.#next++;
    this.#asked.set(id, asked);
    this.#watch ??= this.#startWatch();
    this.#worker.postMessage(message(id));
    return asked.promise;
  }

  async close(): Promise<void> {
    this.#end(broken());
    await this.#worker.terminate();
  }

  #startWatch(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#end(new EngineError('invalid_value', 'The schema is too complex.', 'response_format'));
      void this.#worker.terminate();
    }, answerMs).unref();
  }

  #answered(message: FromMaskThread): void {
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    clearTimeout(this.#watch);
    this.#watch = this.#asked.size > 0 ? this.#startWatch() : undefined;
    if ('masks' in message) asked?.resolve(message.masks);
    else {
      const { code, message: text, param } = message.failure;
      asked?.reject(new EngineError(code, text, param));
    }
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#watch);
    clearTimeout(this.#idle);
    for (const asked of this.#asked.values()) asked.reject(reason);
    this.#asked.clear();
    this.#onEnd();
  }
}

const broken = (): Error => new Error('the thread that makes masks has ended');

class MaskedRequest implements RequestMasks {
  readonly #thread: MaskThread;
  readonly #request: number;
  #choices = 0;

  constructor(thread: MaskThread, request: number) {
    this.#thread = thread;
    this.#request = request;
  }

  async compile(output: OutputRequest, signal: AbortSignal): Promise<void> {
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const request = this.#request;
    try {
      await Promise.race([
        this.#thread.ask((id) => ({ type: 'compile', id, request, output })),
        gone.promise,
      ]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  open(): SequenceMasks {
    const [thread, request, choice] = [this.#thread, this.#request, this.#choices++];
    let accepted: number[] = [];
    return {
      next(draft) {
        const taken = accepted;
        accepted = [];
        return thread.ask((id) => ({ type: 'masks', id, request, choice, accepted: taken, draft }));
      },
      accept: (token) => void accepted.push(token),
    };
  }

  close(): void {
    this.#thread.leave(this.#request);
  }
}
