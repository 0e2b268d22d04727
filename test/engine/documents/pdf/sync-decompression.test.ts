import { DecompressionStream as PlatformStream } from 'node:stream/web';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decompressAtOnce } from '../../../../server/engine/documents/pdf/sync-decompression.ts';

beforeEach(decompressAtOnce);
afterEach(() => {
  Object.assign(globalThis, { DecompressionStream: PlatformStream });
});

/** Reads as pdf.js does. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array[]> {
  const { readable, writable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const chunks: Uint8Array[] = [];
  const reader = readable.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
  }
}

const text = new TextEncoder().encode('BT /F1 12 Tf (Hello) Tj ET '.repeat(20));

describe('a stream of a file', () => {
  test('is inflated in one piece, in memory of its own', async () => {
    const chunks = await inflate(new Uint8Array(deflateSync(text)));
    expect(chunks).toEqual([text]);
    expect(chunks[0]!.buffer.byteLength).toBe(text.length);
  });

  test('that ends before its bytes do is inflated to its end', async () => {
    const chunks = await inflate(new Uint8Array([...deflateSync(text), 0x0d, 0x0a]));
    expect(chunks).toEqual([text]);
  });

  test('that is cut off fails, on which pdf.js inflates by its own code', async () => {
    await expect(inflate(new Uint8Array(deflateSync(text).subarray(0, 30)))).rejects.toThrow();
  });
});
