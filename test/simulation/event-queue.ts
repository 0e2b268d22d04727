/** Events of simulated time, the earliest first: a binary heap. */
interface TimedEvent {
  at: number;
  run: () => void;
}

export class EventQueue {
  /** Seconds. */
  now = 0;
  readonly #heap: TimedEvent[] = [];

  in(seconds: number, run: () => void): void {
    const heap = this.#heap;
    let at = heap.length;
    const event = { at: this.now + seconds, run };
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.at <= event.at) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  runUntil(seconds: number): void {
    for (let event = this.#take(); event && event.at <= seconds; event = this.#take()) {
      this.now = event.at;
      event.run();
    }
  }

  #take(): TimedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
      if (heap[child]!.at >= last.at) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
