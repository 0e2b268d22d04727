/** Events from the loop to one request's reader. Never waits for the reader: a request's events are bounded by its tokens. */
export class EventQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #end: { error: unknown } | null = null;
  #wake: (() => void) | null = null;

  push(...items: T[]): void {
    if (this.#end) return;
    this.#items.push(...items);
    this.#wake?.();
  }

  /** No more items; the reader gets those that are there, then `error` if any. */
  end(error: unknown = null): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
