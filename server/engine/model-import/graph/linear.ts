/** Puts weights into a graph. The builder asks for matrices by name; a writer decides their precision and where they lie. */
import type { Graph } from '../../onnx/graph/graph.ts';
import type { WeightName } from './model-shape.ts';

export interface WeightWriter {
  /** Adds `input × [w₁; w₂; …]ᵀ`: several matrices are stacked into one operator. Returns the output's name. */
  linear(graph: Graph, input: string, weights: WeightName[], output: string): Promise<string>;
  /** Adds the look-up of `ids` in the embeddings. */
  embedding(graph: Graph, ids: string, output: string): Promise<string>;
  /** Adds a vector (norm or bias) in float32, with `offset` added to each number. */
  vector(graph: Graph, weights: WeightName[], name: string, offset?: number): Promise<string>;
  /** Adds a float32 table that is no weight of the model, such as cosines. */
  table(graph: Graph, name: string, dims: number[], data: Float32Array): Promise<string>;
  has(name: WeightName): boolean;
}
