/** A language, byte by byte. States are immutable and interned: equal states are one object. */
export interface Acceptor {
  readonly id: string;
  /**
   * Differs from `id` where states with equal ones allow the same tokens, but for tokens that write a whole key (three
   * quotes), which it allows none of. Keeps a mask from being made anew for every letter of a key.
   */
  readonly maskId?: string;
  /** The state after one more byte; null when no text that goes on so is allowed. */
  step(byte: number): Acceptor | null;
  /** The text may end here. */
  readonly canEnd: boolean;
  /**
   * Plain string characters that may follow without any other limit, where that is all there is to say: lets a mask take
   * whole classes of tokens at once. null: step through them.
   */
  readonly stringRoom: number | null;
  /** Equal for states that can both be completed, or both not. Default: `id`. */
  readonly liveId?: string;
  /** Equal for states that a search for an end need not tell apart: it has been where the other is. Default: `id`. */
  readonly searchId?: string;
  /** The part that must be looked into to know whether there is an end; null: there is one. */
  readonly undecided: Acceptor | null;
  /** Bytes worth trying for a short end, best first. */
  endings(): number[];
}

export const maskIdOf = (state: Acceptor): string => state.maskId ?? state.id;

/** One after another; the next begins where the one before may end and cannot go on, so each must be self-delimiting. @throws RangeError for none */
export function sequence(parts: readonly Acceptor[]): Acceptor {
  const [first, ...rest] = parts;
  if (!first) throw new RangeError('a sequence needs parts');
  return rest.length === 0 ? first : new Sequence(first, rest);
}

class Sequence implements Acceptor {
  private readonly first: Acceptor;
  private readonly rest: readonly Acceptor[];

  constructor(first: Acceptor, rest: readonly Acceptor[]) {
    this.first = first;
    this.rest = rest;
  }

  get id(): string {
    return this.join(this.first.id);
  }

  get maskId(): string {
    return this.join(maskIdOf(this.first));
  }

  private join(first: string): string {
    return `(${[first, ...this.rest.map((part) => part.id)].join(' ')})`;
  }

  step(byte: number): Acceptor | null {
    const next = this.first.step(byte);
    if (next) return new Sequence(next, this.rest);
    return this.first.canEnd ? sequence(this.rest).step(byte) : null;
  }

  get canEnd(): boolean {
    return this.first.canEnd && this.rest.every((part) => part.canEnd);
  }

  get stringRoom(): number | null {
    return this.first.stringRoom;
  }

  /** Parts that follow do not depend on it. */
  get undecided(): Acceptor | null {
    return this.first.undecided;
  }

  endings(): number[] {
    const after = this.first.canEnd ? sequence(this.rest).endings() : [];
    return [...after, ...this.first.endings()];
  }
}

/** A fixed text. */
export function literal(text: string): Acceptor {
  return new Literal(Buffer.from(text, 'utf8'), 0);
}

class Literal implements Acceptor {
  readonly id: string;
  readonly stringRoom = null;
  readonly undecided = null;
  private readonly bytes: Buffer;
  private readonly at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
    this.id = `${JSON.stringify(bytes.toString('utf8'))}${at}`;
  }

  step(byte: number): Acceptor | null {
    return this.bytes[this.at] === byte ? new Literal(this.bytes, this.at + 1) : null;
  }

  get canEnd(): boolean {
    return this.at === this.bytes.length;
  }

  endings(): number[] {
    const next = this.bytes[this.at];
    return next === undefined ? [] : [next];
  }
}

/** Any of several; the first byte that tells them apart decides. */
export function choice(parts: readonly Acceptor[]): Acceptor {
  return parts.length === 1 ? parts[0]! : new Choice(parts);
}

class Choice implements Acceptor {
  readonly id: string;
  readonly stringRoom = null;
  private readonly parts: readonly Acceptor[];

  constructor(parts: readonly Acceptor[]) {
    this.parts = parts;
    this.id = `[${parts.map((part) => part.id).join('|')}]`;
  }

  step(byte: number): Acceptor | null {
    const next = this.parts.map((part) => part.step(byte)).filter((part) => part !== null);
    return next.length === 0 ? null : choice(next);
  }

  get canEnd(): boolean {
    return this.parts.some((part) => part.canEnd);
  }

  get undecided(): Acceptor | null {
    return this.parts.some((part) => part.undecided === null) ? null : this;
  }

  endings(): number[] {
    return [...new Set(this.parts.flatMap((part) => part.endings()))];
  }
}
