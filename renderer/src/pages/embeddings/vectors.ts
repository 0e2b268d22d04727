/** Vectors as the API sends them, decoded, and their likeness. They are L2-normalized, so the dot product is the cosine. */
import type { BodyOf } from '../../../../server/api/operations.ts';
import type { Client } from '../../api/client.ts';

export const maxInputs = 96;

export type Task = 'query' | 'document';

export function decodeVector(embedding: string | number[]): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding);
  const bytes = Uint8Array.from(atob(embedding), (char) => char.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

interface EmbedOptions {
  task?: Task;
  signal?: AbortSignal;
}

/** Any number of texts, in requests of at most 96. */
export async function embed(
  client: Client,
  texts: readonly string[],
  options: EmbedOptions = {},
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += maxInputs) {
    const body: BodyOf<'POST /v1/embeddings'> = {
      model: 'svc-embed-base',
      input: texts.slice(start, start + maxInputs),
      encoding_format: 'base64',
      ...(options.task ? { task: options.task } : {}),
    };
    const { data } = await client.call('POST /v1/embeddings', {
      body,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    vectors.push(...data.data.map(({ embedding }) => decodeVector(embedding)));
  }
  return vectors;
}

export const toTexts = (input: string): string[] =>
  input
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export interface Hit {
  text: string;
  score: number;
}

export function rank(query: Float32Array, texts: readonly string[], vectors: readonly Float32Array[]): Hit[] {
  return texts
    .map((text, index) => ({ text, score: dot(query, vectors[index] as Float32Array) }))
    .sort((a, b) => b.score - a.score);
}
