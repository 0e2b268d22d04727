/**
 * Tensors over the Open Inference Protocol v2 (KServe, Triton, MLServer). Embeddings: texts become tokens here, by the bound pack,
 * and vectors there, by a graph that takes `input_ids` and `attention_mask` and answers one vector a row, of our width.
 * Moderation and images: the bound pack works here as ever, and its classifier or detector, the same graph, runs there.
 */
import { embeddingDims } from '../../api/services/embeddings.ts';
import type { EmbedParams, EmbedResult } from '../../engine/embeddings/types.ts';
import type { ImageAnalyzeParams } from '../../engine/images/types.ts';
import type { EngineAdapter, RemoteAsk } from '../adapter.ts';
import { inferVectors } from './infer.ts';
import { analyzeThere, classifyThere } from './pack-graphs.ts';
import { checkOip, tryOip } from './trial.ts';

export const oipAdapter: EngineAdapter = {
  kind: 'oip',
  roles: ['svc-embed-base', 'svc-shield-base', 'svc-vision-pro'],
  methods: {
    embeddings: { embed },
    moderation: { classify: classifyThere },
    images: { analyze: analyzeThere },
  },
  refusal(method, params) {
    if (method === 'rerank') return 'it has no rerank';
    const { tasks } = params as Partial<ImageAnalyzeParams>;
    const finds = tasks === undefined || tasks.includes('objects') || tasks.includes('scene_graph');
    return finds ? null : 'it finds objects alone';
  },
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
