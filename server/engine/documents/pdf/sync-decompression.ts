/**
 * Stands in for the platform's DecompressionStream, which pdf.js inflates all but the shortest streams of a file with. Node's
 * passes each through web streams and another thread, which takes ten times as long as inflating it at once. What fails there fails here, on
 * which pdf.js inflates by its own code; bytes behind a stream's end, which fail there, are passed over as that code does.
 */

import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

const decoders = {
  deflate: inflateSync,
  'deflate-raw': inflateRawSync,
  gzip: gunzipSync,
  brotli: brotliDecompressSync,
};

/** As much of a DecompressionStream as pdf.js uses: one write, then reads to the end. */
class SyncDecompressionStream {
  readonly #decode: (bytes: Uint8Array) => Uint8Array;
  #written: Uint8Array | null = null;

  constructor(format: keyof typeof decoders) {
    this.#decode = decoders[format];
  }

  readonly writable = {
    getWriter: () => ({
      write: async (bytes: Uint8Array) => {
        this.#written = bytes;
      },
      close: async () => {},
    }),
  };

  readonly readable = {
    getReader: () => ({
      read: async () => {
        if (!this.#written) return { done: true, value: undefined };
        // A copy: Node's buffers share their memory, which pdf.js hands over whole.
        const value = new Uint8Array(this.#decode(this.#written));
        this.#written = null;
        return { done: false, value };
      },
    }),
  };
}

/** For a thread that only reads documents: it holds for all that runs there. */
export function decompressAtOnce(): void {
  globalThis.DecompressionStream = SyncDecompressionStream as unknown as typeof DecompressionStream;
}
