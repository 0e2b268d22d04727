/**
 * Runs of a named graph that another machine does for the call under way: its tensors leave the process, the answer's come back.
 * Belongs to one call; what other calls run at the same time stays here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElementType, TensorData } from './element-types.ts';

/** As it crosses a process boundary. */
export interface PlainTensor {
  type: ElementType;
  dims: readonly number[];
  data: TensorData;
}

export interface InferRequest {
  /** The graph's part in its pack: `classifier`, `detector`. */
  graph: string;
  inputs: Record<string, PlainTensor>;
  /** Wanted outputs; a size that the graph leaves open is null. */
  outputs: { name: string; type: ElementType; dims: (number | null)[] }[];
}

/** Outputs by name, of the types and sizes that were asked for. */
export type Infer = (request: InferRequest) => Promise<Record<string, PlainTensor>>;

const current = new AsyncLocalStorage<Infer>();

/** Has named graphs that `work` runs run by `infer`. */
export const inferringElsewhere = <T>(infer: Infer, work: () => T): T => current.run(infer, work);

export const currentInfer = (): Infer | undefined => current.getStore();
