/** Checks that every weight is there and of the shape that the model's settings say, before anything is written. */
import type { LayerWeight, ModelShape, WeightName, WeightSource } from '../graph/model-shape.ts';

/** @throws Error naming the first weight that is absent or of another shape */
export function checkWeights(shape: ModelShape, source: WeightSource): void {
  const { vocab, hidden } = shape;
  check(source, 'embedding', [vocab, hidden]);
  check(source, 'final_norm', [1, hidden]);
  if (!shape.tiedHead) check(source, 'head', [vocab, hidden]);
  const needed = Object.entries(layerShapes(shape));
  for (let layer = 0; layer < shape.layers.length; layer += 1) {
    for (const [name, dims] of needed) check(source, `layers.${layer}.${name as LayerWeight}`, dims);
  }
}

function layerShapes(shape: ModelShape): Partial<Record<LayerWeight, [number, number]>> {
  const { hidden, heads, kvHeads, headDim, ffn } = shape;
  return {
    attention_norm: [1, hidden],
    q: [heads * headDim, hidden],
    k: [kvHeads * headDim, hidden],
    v: [kvHeads * headDim, hidden],
    o: [hidden, heads * headDim],
    ffn_norm: [1, hidden],
    gate: [ffn, hidden],
    up: [ffn, hidden],
    down: [hidden, ffn],
    ...(shape.headNorms ? { q_norm: [1, headDim], k_norm: [1, headDim] } : {}),
    ...(shape.postNorms ? { post_attention_norm: [1, hidden], post_ffn_norm: [1, hidden] } : {}),
  };
}

function check(source: WeightSource, name: WeightName, [rows, cols]: [number, number]): void {
  const weight = source.get(name);
  if (weight.rows === rows && weight.cols === cols) return;
  throw new Error(
    `the weight ${name} is ${weight.rows}×${weight.cols}; the model's settings make it ${rows}×${cols}`,
  );
}
