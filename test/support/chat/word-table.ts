/** A table of word vectors as models/recipes/lingua-reader/word_table.py writes it. */
import { hashOf } from '../../../server/engine/chat/reader/word-table.ts';

export function wordTableBytes(
  words: Record<string, { vector: number[]; weight: number }>,
  size = 4,
): Uint8Array {
  const rows = Object.entries(words)
    .map(([word, facts]) => ({ hash: hashOf(word), ...facts }))
    .sort((a, b) => a.hash - b.hash);
  return Buffer.concat([
    Buffer.from(Uint32Array.of(rows.length, size).buffer),
    Buffer.from(Uint32Array.from(rows, ({ hash }) => hash).buffer),
    Buffer.from(Uint8Array.from(rows, ({ weight }) => weight * 255)),
    Buffer.from(Int8Array.from(rows.flatMap(({ vector }) => vector)).buffer),
  ]);
}
