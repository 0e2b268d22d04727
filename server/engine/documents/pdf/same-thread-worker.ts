/**
 * pdf.js splits its work over a "worker" and a "main" side and, in Node, runs both in one thread, deep-copying every
 * message between them. Most of what is copied are the operators of a page, a third of the time of reading it. This
 * port hands those over as they are; only the lists around them are copied, since the worker side empties them for the
 * next batch. All other messages are copied as pdf.js does.
 */

import { PDFWorker, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { copyPlain } from './copy-plain.ts';

/** Asked while the operators of a page (from 1) are listed, with their number so far: true ends the list there. */
export type IsCut = (page: number, operators: number) => boolean;

interface OperatorChunk {
  fnArray: number[];
  argsArray: unknown[];
}

interface Message {
  action?: string;
  chunk?: Partial<OperatorChunk> & { lastChunk?: boolean };
  data?: unknown;
  /** Kind of a message of a stream, e.g. the receiver's wish for more. */
  stream?: number;
  streamId?: number;
}

/** pdf.js's number for "more, please". */
const pull = 6;

type Transfer = NonNullable<NonNullable<Parameters<typeof structuredClone>[1]>['transfer']>;
type Listener = (event: { data: unknown }) => void;

function copyMessage(message: Message, transfer: Transfer | undefined): unknown {
  const { chunk } = message;
  if (chunk?.fnArray && chunk.argsArray)
    return {
      ...message,
      chunk: { ...chunk, fnArray: chunk.fnArray.slice(), argsArray: chunk.argsArray.slice() },
    };
  const told = message.action === 'commonobj' ? withoutFontFace(message) : message;
  return copyPlain(told, transfer) ?? structuredClone(told, transfer ? { transfer } : undefined);
}

/** Name, kind and content of what several pages use. */
type CommonObject = [string, string, { extra?: { name?: string } }];

/**
 * A font would become a rule of a style sheet and, as Node has none, outlines for drawing: more work than all its text.
 * `extra` is what pdf.js takes over into its object of the font: of it the name is wanted, not the tables of its characters.
 */
function withoutFontFace(message: Message): Message {
  const [id, kind, content] = message.data as CommonObject;
  if (kind !== 'Font') return message;
  const { name } = content.extra ?? {};
  const extra = { ...(name === undefined ? {} : { name }), disableFontFace: true };
  return { ...message, data: [id, kind, { ...content, extra }] };
}

/**
 * Both sides listen on the same port; each message names the side it is for. The operators of a page that takes too long, or
 * has too many, are cut: the next batch is called the last, and no more are asked for, on which the sender waits until the document is closed.
 */
class SameThreadPort {
  readonly #listeners = new Set<Listener>();
  readonly #isCut: IsCut;
  readonly #cutPages: Set<number>;
  /** Pages, from 1, by their stream of operators. */
  readonly #pageOf = new Map<number, number>();
  /** Operators listed so far, by page. */
  readonly #listed = new Map<number, number>();
  readonly #held: Message[] = [];

  constructor(isCut: IsCut, cutPages: Set<number>) {
    this.#isCut = isCut;
    this.#cutPages = cutPages;
  }

  postMessage(message: Message, transfer?: Transfer): void {
    const { action, streamId, stream, chunk } = message;
    if (action === 'GetOperatorList' && streamId !== undefined)
      this.#pageOf.set(streamId, (message.data as { pageIndex: number }).pageIndex + 1);
    const page = this.#pageOf.get(streamId ?? -1);
    if (page !== undefined && chunk?.fnArray) {
      const listed = (this.#listed.get(page) ?? 0) + chunk.fnArray.length;
      this.#listed.set(page, listed);
      if (!chunk.lastChunk && this.#isCut(page, listed)) {
        this.#cutPages.add(page);
        chunk.lastChunk = true;
      }
    }
    if (page !== undefined && stream === pull && this.#cutPages.has(page)) this.#held.push(message);
    else this.#deliver(copyMessage(message, transfer));
    // Its sender, told to stop, goes on as far as to see that.
    if (action === 'Terminate') for (const held of this.#held.splice(0)) this.#deliver(held);
  }

  #deliver(data: unknown): void {
    const event = { data };
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener.call(this, event);
    });
  }

  addEventListener(_name: string, listener: Listener, options?: { signal?: AbortSignal } | null): void {
    this.#listeners.add(listener);
    options?.signal?.addEventListener('abort', () => this.#listeners.delete(listener));
  }

  removeEventListener(_name: string, listener: Listener): void {
    this.#listeners.delete(listener);
  }
}

/** A worker for one document. pdf.js does not destroy a worker that it was given. */
export function createSameThreadWorker(
  isCut: IsCut = () => false,
  cutPages: Set<number> = new Set(),
): PDFWorker {
  const port = new SameThreadPort(isCut, cutPages);
  const worker = new PDFWorker({ port: port as unknown as null, verbosity: VerbosityLevel.ERRORS });
  WorkerMessageHandler.initializeFromPort(port);
  return worker;
}
