/** One inference of an encoder: rows of tokens to unit vectors. */
import { embeddingDims } from '../../api/services/embeddings.ts';
import type { RemoteAsk } from '../adapter.ts';
import { EngineFault } from '../fault.ts';
import { toUnitVector } from '../openai/embeddings.ts';
import { askOip, type OipTensor, tokensOf } from './ask.ts';

/** One unit vector a row; all rows have one length. @throws EngineFault */
export async function inferVectors(
  rows: readonly (readonly number[])[],
  ask: Pick<RemoteAsk, 'connection' | 'model' | 'signal' | 'caller'>,
): Promise<Float32Array[]> {
  const { outputs } = await askOip<{ outputs?: OipTensor[] }>(
    `/v2/models/${encodeURIComponent(ask.model)}/infer`,
    ask,
    // KServe answers 500 where a model hands an absent id on.
    { id: 'lokal', inputs: tokensOf(rows) },
  );
  const isOurs = ({ shape, data }: OipTensor) =>
    Array.isArray(shape) &&
    shape.length === 2 &&
    shape[0] === rows.length &&
    shape[1] === embeddingDims &&
    Array.isArray(data);
  const tensor = Array.isArray(outputs) ? outputs.find(isOurs) : undefined;
  const values = tensor?.data.flat() ?? [];
  if (values.length !== rows.length * embeddingDims)
    throw new EngineFault('invalid', `it answered no tensor of ${rows.length} × ${embeddingDims} numbers`);
  return rows.map((_, row) => toUnitVector(values.slice(row * embeddingDims, (row + 1) * embeddingDims)));
}
