/**
 * The networks as the parsing thread sees them: calls to the host, which holds the sessions. So a thread that is ended
 * takes no session with it, and what it asked for last ends in the host unheard.
 */

import type { PixelTensor, TextModels, TopKScores } from './text-models.ts';

export type ModelRequest = { call: number } & (
  | { method: 'describe' }
  | { method: 'findText' | 'read'; pixels: PixelTensor }
);

export interface ModelDescription {
  characters: readonly string[];
  cropHeightPx: number;
}

export type ModelReply = { call: number } & (
  | { value: ModelDescription | Float32Array | TopKScores }
  | { failure: { code: string; message: string } }
);

type Send = (request: ModelRequest, transfer: ArrayBuffer[]) => void;

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Asks over a channel; `receive` takes the answers. */
export class ModelCalls {
  readonly #send: Send;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(send: Send) {
    this.#send = send;
  }

  receive(reply: ModelReply, toError: (failure: { code: string; message: string }) => Error): void {
    const waiting = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    if ('failure' in reply) waiting?.reject(toError(reply.failure));
    else waiting?.resolve(reply.value as never);
  }

  /** Nobody waits for the answers any more; those that come are dropped. */
  cancel(reason: Error): void {
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  /** The host opens its sessions at this first call. */
  async open(): Promise<TextModels> {
    const description = await this.#ask<ModelDescription>({ method: 'describe' }, []);
    const call = <T>(method: 'findText' | 'read', pixels: PixelTensor): Promise<T> =>
      this.#ask<T>({ method, pixels }, [pixels.data.buffer as ArrayBuffer]);
    return {
      ...description,
      findText: (pixels) => call<Float32Array>('findText', pixels),
      read: (crops) => call<TopKScores>('read', crops),
    };
  }

  #ask<T>(
    request: { method: 'describe' } | { method: 'findText' | 'read'; pixels: PixelTensor },
    transfer: ArrayBuffer[],
  ): Promise<T> {
    const call = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#send({ ...request, call }, transfer);
    });
  }
}

/** Buffers of an answer, to hand over instead of copying. */
function buffersOf(value: ModelDescription | Float32Array | TopKScores): ArrayBuffer[] {
  if (value instanceof Float32Array) return [value.buffer as ArrayBuffer];
  if ('timesteps' in value)
    return [value.classes, value.scores, value.blanks].map((array) => array.buffer as ArrayBuffer);
  return [];
}

/** The host's side: answers one request. Sessions open when the first one comes. */
export async function answerModelRequest(
  request: ModelRequest,
  open: () => Promise<TextModels>,
): Promise<{ reply: ModelReply; transfer: ArrayBuffer[] }> {
  const { call } = request;
  try {
    const models = await open();
    const value =
      request.method === 'describe'
        ? { characters: models.characters, cropHeightPx: models.cropHeightPx }
        : await models[request.method](request.pixels);
    return { reply: { call, value }, transfer: buffersOf(value) };
  } catch (error) {
    const { code, message } = error as Partial<Record<'code' | 'message', string>>;
    return {
      reply: { call, failure: { code: code ?? 'internal_error', message: message ?? 'recognition failed' } },
      transfer: [],
    };
  }
}
