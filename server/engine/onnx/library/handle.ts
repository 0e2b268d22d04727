import { ort, type Pointer, type ReleaseFunction } from './library.ts';

interface Owned {
  address: Pointer;
  releaseWith: ReleaseFunction;
}

/** The net for handles nobody closed. */
const forgotten = new FinalizationRegistry<Owned>((owned) => ort().release(owned.releaseWith, owned.address));

/**
 * Owns one native object. It is released once: at `close()`, or when the last native call that uses it has returned, or
 * when the handle is collected unclosed.
 */
export class NativeHandle {
  readonly #owned: Owned;
  #users = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(address: Pointer, releaseWith: ReleaseFunction) {
    this.#owned = { address, releaseWith };
    forgotten.register(this, this.#owned, this);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Throws once closed: a stale address must never reach native code. */
  get address(): Pointer {
    if (this.#closed) throw new Error('the native object is closed');
    return this.#owned.address;
  }

  /** Keeps the object alive over an asynchronous native call; pair with `drop()`. */
  hold(): Pointer {
    const address = this.address;
    this.#users += 1;
    return address;
  }

  drop(): void {
    this.#users -= 1;
    if (this.#closed && this.#users === 0) this.#release();
  }

  /** Resolves when the object is gone, which is when its running calls have returned. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    if (this.#users === 0) {
      this.#release();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  #release(): void {
    forgotten.unregister(this);
    ort().release(this.#owned.releaseWith, this.#owned.address);
    this.#idle?.();
  }
}
