/** Our own share of a request's time until its first item: all of it but waiting for the engine, its network included. */
import type { EngineConnection } from './connection.ts';

export class OwnShare {
  #waitedMs = 0;
  readonly #begunAt: number;

  /** @param begunAt of `performance.now()` */
  constructor(begunAt: number) {
    this.#begunAt = begunAt;
  }

  /** The connection, its waiting counted. */
  watch(connection: EngineConnection): Pick<EngineConnection, 'send'> {
    return {
      send: async (request) => {
        const response = await this.#waiting(connection.send(request));
        return { ...response, chunks: this.#read(response.chunks) };
      },
    };
  }

  /** As it stands, in milliseconds. */
  get ms(): number {
    return Math.max(0, performance.now() - this.#begunAt - this.#waitedMs);
  }

  async #waiting<T>(work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work;
    } finally {
      this.#waitedMs += performance.now() - startedAt;
    }
  }

  async *#read(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const parts = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await this.#waiting(parts.next());
        if (done) return;
        yield value;
      }
    } finally {
      await parts.return?.();
    }
  }
}
