/**
 * Ends a text at the first of some strings, wherever tokens are cut: the end of the text that could still become one of
 * them is held back until it is known.
 */
export class StopStrings {
  readonly #stops: readonly string[];
  #held = '';
  #found: string | null = null;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** A stop string was found; nothing more comes out. */
  get stopped(): boolean {
    return this.#found !== null;
  }

  /** The string that was found first. */
  get found(): string | null {
    return this.#found;
  }

  /** Text that is certain to precede every stop string. */
  push(text: string): string {
    if (this.stopped || this.#stops.length === 0) return this.stopped ? '' : text;
    const all = this.#held + text;
    const found = this.#stops.map((stop) => ({ stop, at: all.indexOf(stop) })).filter(({ at }) => at >= 0);
    if (found.length > 0) {
      const first = found.reduce((best, each) => (each.at < best.at ? each : best));
      this.#found = first.stop;
      this.#held = '';
      return all.slice(0, first.at);
    }
    const keep = Math.max(...this.#stops.map((stop) => overlap(all, stop)));
    this.#held = all.slice(all.length - keep);
    return all.slice(0, all.length - keep);
  }

  /** The text is over: what was held back belongs to it. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Length of the longest end of `text` that begins `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
