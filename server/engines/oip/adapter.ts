/**
 * Tensors over the Open Inference Protocol v2 (KServe, Triton, MLServer): texts become tokens here, by the bound embedding pack, and
 * vectors there. For graphs that take `input_ids` and `attention_mask` and answer one vector a row, of our width.
 */
import { embeddingDims } from '../../api/services/embeddings.ts';
import type { EmbedParams, EmbedResult } from '../../engine/embeddings/types.ts';
import type { EngineAdapter, RemoteAsk } from '../adapter.ts';
import { inferVectors } from './infer.ts';
import { checkOip, tryOip } from './trial.ts';

export const oipAdapter: EngineAdapter = {
  kind: 'oip',
  roles: ['svc-embed-base'],
  methods: { embeddings: { embed } },
  refusal: (method) => (method === 'embed' ? null : `it has no ${method}`),
  check: checkOip,
  trial: tryOip,
};

/** Rows of one length share a request, so that nothing is padded and no text's vector depends on its neighbours' lengths. */
async function embed(params: EmbedParams, ask: RemoteAsk): Promise<EmbedResult> {
  const { rows } = await ask.tokenIds(params);
  const vectors = new Float32Array(rows.length * embeddingDims);
  const byLength = Map.groupBy(rows.keys(), (row) => rows[row]!.length);
  for (const places of byLength.values()) {
    const answer = await inferVectors(
      places.map((place) => rows[place]!),
      ask,
    );
    for (const [at, place] of places.entries()) vectors.set(answer[at]!, place * embeddingDims);
  }
  return { vectors, tokens: rows.map((row) => row.length) };
}
