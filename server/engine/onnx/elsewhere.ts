/**
 * Runs of a named graph that another machine does for the call under way: its tensors leave the process, the answer's come back.
 * Belongs to one call; what other calls run at the same time stays here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Infer } from './types.ts';

const current = new AsyncLocalStorage<Infer>();

/** Has named graphs that `work` runs run by `infer`. */
export const inferringElsewhere = <T>(infer: Infer, work: () => T): T => current.run(infer, work);

export const currentInfer = (): Infer | undefined => current.getStore();
