/**
 * Vectors of words by the embeddings starter, for word_table.py: node embed-words.ts OUT TEXTS...
 * Its own words, then those of the texts that it puts together from pieces. Writes OUT/words.json, OUT/vectors.f32 (1,024 numbers each).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { segmentWords } from '../../../server/engine/chat/reader/words.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';

const [out, ...texts] = process.argv.slice(2);
mkdirSync(out!, { recursive: true });
const pack = new URL('../../packs/embed-starter/', import.meta.url);
const definition = JSON.parse(readFileSync(new URL('tokenizer.json', pack), 'utf8'));
const tokenizer = new Tokenizer(definition, {});
const han = /^\p{Script=Han}+$/u;
const known = new Map<string, number[]>();
(definition.model.vocab as [string, number][]).forEach(([token], id) => {
  const word = token.replace(/^▁/u, '');
  const isWhole = token.startsWith('▁') || han.test(word);
  if (isWhole && /^[\p{L}']{1,24}$/u.test(word) && !known.has(word)) known.set(word, [id]);
});
const own = known.size;
const counts = new Map<string, number>();
for (const file of texts)
  for (const { form, kind } of segmentWords(readFileSync(file, 'utf8')))
    if (kind === 'letters' && !known.has(form)) counts.set(form, (counts.get(form) ?? 0) + 1);
const unknown = new Set(['<unk>']);
for (const [form, count] of counts) {
  const { ids, tokens } = tokenizer.encode(form, { add_special_tokens: false });
  if (count > 1 && ids.length > 0 && !tokens.some((token: string) => unknown.has(token)))
    known.set(form, ids);
}
const session = await openSession(new URL('model.onnx', pack).pathname);
const byLength = Map.groupBy(known, ([, ids]) => ids.length);
const vectors = new Map<string, Float32Array>();
for (const [length, words] of byLength)
  for (let at = 0; at < words.length; at += 256) {
    const part = words.slice(at, at + 256);
    const dims = [part.length, length];
    const feeds: Record<string, Tensor> = {};
    for (const { name } of session.inputs) {
      const values = part.flatMap(([, ids]) => (name.includes('mask') ? ids.map(() => 1n) : ids.map(BigInt)));
      feeds[name] = new Tensor('int64', BigInt64Array.from(values), dims);
    }
    const made = await session.run(feeds);
    const data = Object.values(made)[0]!.data as Float32Array;
    for (const [row, [word]] of part.entries())
      vectors.set(
        word,
        data.slice((row * data.length) / part.length, ((row + 1) * data.length) / part.length),
      );
  }
const order = [...known.keys()];
writeFileSync(
  `${out}/vectors.f32`,
  Buffer.concat(order.map((word) => Buffer.from(vectors.get(word)!.buffer))),
);
writeFileSync(`${out}/words.json`, JSON.stringify(order));
console.log(`${own} words of its own, ${order.length - own} put together`);
await session.close();
