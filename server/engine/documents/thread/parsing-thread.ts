/** The host's side of the parsing thread: pdf.js cannot be interrupted, so the thread is ended in its place. */
import type { CallMethod, ItemOf, ParamsOf, ResultOf, StreamMethod } from '../../contract.ts';
import { type CallContext, EngineError } from '../../engine.ts';
import { SupervisedWorker, type Talk, type Timeouts } from '../../supervised-worker.ts';
import { answerModelRequest } from '../../vision/ocr/models/remote-models.ts';
import type { TextModels } from '../../vision/ocr/models/text-models.ts';
import {
  maxHostResidentBytes,
  maxResidentBytesToRefuse,
  maxThreadHeapMb,
  openTimeoutMs,
  pageTimeoutMs,
} from '../limits.ts';
import type { DocumentData } from '../vocabulary/words.ts';
import { askedAgain } from './asked-again.ts';
import type { DocumentsMethod, FromParsingThread, ToParsingThread } from './thread-messages.ts';

const tooSlow = (): EngineError =>
  new EngineError('document_unreadable', 'the document takes too long to read', 'file');
const tooLarge = (): EngineError =>
  new EngineError('document_unreadable', 'the document needs more memory than can be given to it', 'file');

export class ParsingThread {
  readonly #models: () => Promise<TextModels>;
  readonly #worker: SupervisedWorker;
  #nextId = 1;
  /** The thread draws: Node frees a canvas's memory wrongly when it ends a thread in the midst of it. */
  #draws = false;
  /** The host's memory does not come back at once when the thread ends: the next document would be refused for it. */
  #outgrown = false;
  readonly #canReplaceHost: boolean;
  readonly #roomyBytes: number;

  /** @param models asked for when the thread meets a page that must be recognized */
  constructor(
    models: () => Promise<TextModels>,
    {
      data,
      timeouts = { openMs: openTimeoutMs, stallMs: pageTimeoutMs },
      maxResidentBytes = maxHostResidentBytes,
      roomyBytes = maxResidentBytesToRefuse,
      replaceHost,
    }: {
      data?: DocumentData;
      timeouts?: Timeouts;
      maxResidentBytes?: number;
      roomyBytes?: number;
      replaceHost?: () => void;
    } = {},
  ) {
    this.#models = models;
    this.#canReplaceHost = replaceHost !== undefined;
    this.#roomyBytes = roomyBytes;
    const entry = new URL(`./thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
    const broken = (error = new Error('the parsing thread ended')) => error;
    this.#worker = new SupervisedWorker(
      {
        entry,
        workerData: data ?? null,
        maxHeapMb: maxThreadHeapMb,
        maxResidentBytes,
        tooSlow,
        tooLarge: () => {
          this.#outgrown = true;
          return tooLarge();
        },
        broken,
        leave: {
          message: { type: 'leave' },
          isLeft: (message) => (message as FromParsingThread<DocumentsMethod>).type === 'left',
        },
        endsProcess: () => {
          if (!(this.#draws || this.#outgrown) || !replaceHost) return false;
          replaceHost();
          return true;
        },
      },
      timeouts,
    );
  }

  /** Items of one call. Calls wait for each other. @throws EngineError document_unreadable when a page takes too long or too much */
  stream<Method extends StreamMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    context: CallContext,
  ): AsyncGenerator<ItemOf<'documents', Method>> {
    return this.#retried(method, params, context);
  }

  /** The result of one call. @throws EngineError as `stream` */
  async call<Method extends CallMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    context: CallContext,
  ): Promise<ResultOf<'documents', Method>> {
    let result: ResultOf<'documents', Method> | null = null;
    const onDone = (value: typeof result) => {
      result = value;
    };
    for await (const _ of this.#retried(method, params, context, onDone));
    if (result === null) throw new Error('the parsing thread gave no answer');
    return result;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  /** A document that needed too much is asked again of another host, unless it was and had room: then it is refused. */
  async *#retried<Method extends DocumentsMethod>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    context: CallContext,
    onDone?: (value: ResultOf<'documents', Method> | null) => void,
  ): AsyncGenerator<ItemOf<'documents', Method>> {
    let begunBytes = 0;
    const onBegin = () => {
      begunBytes = process.memoryUsage.rss();
    };
    try {
      yield* this.#exchange(method, params, { signal: context.signal, onBegin, onDone });
    } catch (error) {
      const hadRoom = context.again && begunBytes <= this.#roomyBytes;
      if (!this.#outgrown || !this.#canReplaceHost || hadRoom) throw error;
      await askedAgain(context);
    }
  }

  #exchange<Method extends DocumentsMethod>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    {
      signal,
      onBegin,
      onDone,
    }: {
      signal: AbortSignal;
      onBegin: () => void;
      onDone: ((value: ResultOf<'documents', Method> | null) => void) | undefined;
    },
  ): AsyncGenerator<ItemOf<'documents', Method>> {
    const call: ToParsingThread<Method> = { type: 'call', id: this.#nextId++, method, params };
    const answerModel = (
      talk: Talk<ToParsingThread<Method>, FromParsingThread<Method>>,
      message: FromParsingThread<Method>,
    ) => message.type === 'model' && this.#answerModel(talk, message);
    const onDraws = () => {
      this.#draws = true;
    };
    return this.#worker.exchange(
      signal,
      async function* (talk: Talk<ToParsingThread<Method>, FromParsingThread<Method>>) {
        onBegin();
        talk.post(call);
        for (;;) {
          const message = await talk.next();
          if (message.type === 'item') yield message.value;
          else if (message.type === 'failed') throw toError(message.failure);
          else if (message.type === 'done') return onDone?.(message.value);
          else if (message.type === 'draws') onDraws();
          else void answerModel(talk, message);
        }
      },
    );
  }

  async #answerModel<Method extends DocumentsMethod>(
    talk: Talk<ToParsingThread<Method>, FromParsingThread<Method>>,
    { request }: Extract<FromParsingThread<Method>, { type: 'model' }>,
  ): Promise<void> {
    const { reply, transfer } = await answerModelRequest(request, this.#models);
    talk.post({ type: 'model', reply }, transfer);
  }
}

const toError = ({ code, message, param }: { code: string; message: string; param: string | null }) =>
  new EngineError(code, message, param);
