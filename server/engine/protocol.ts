/** The messages between the server and one engine host process. Plain structured-clonable data, both ways. */
import type { EngineKind, HostKind, ItemOf, MethodOf, ParamsOf, ResultOf, RoleEngines } from './contract.ts';
import type { EngineInfo, EngineOptions, EnginePack } from './engine.ts';
import type { FailureTrace } from './failure-trace.ts';
import type { InferRequest, PlainTensor } from './onnx/types.ts';

export const engineOf: RoleEngines = {
  'svc-lingua-7b': 'chat',
  'svc-vision-pro': 'images',
  'svc-shield-base': 'moderation',
  'svc-guard-max': 'threat',
  'svc-parse-pro': 'documents',
  'svc-embed-base': 'embeddings',
};
export const engineKinds: readonly EngineKind[] = Object.values(engineOf);

/** The first message of all. */
export interface OpenMessage<Kind extends HostKind> {
  type: 'open';
  engine: Kind;
  pack: EnginePack;
  options: EngineOptions;
}

export interface CallMessage<Kind extends HostKind, Method extends MethodOf<Kind>> {
  type: 'call';
  id: number;
  method: Method;
  params: ParamsOf<Kind, Method>;
  /** Runs of the pack's named graphs are asked of the server (`infer`). */
  elsewhere?: boolean;
  /** A host before this one was ended while it had the call. */
  again?: boolean;
}

export type ToHost<Kind extends HostKind> =
  | OpenMessage<Kind>
  | CallMessage<Kind, MethodOf<Kind>>
  /** The smoke test of an import, answered as a call is. */
  | { type: 'check'; id: number }
  | { type: 'cancel'; id: number }
  /** The answer to `infer`; null where there is none. */
  | { type: 'inferred'; id: number; outputs: Record<string, PlainTensor> | null }
  | { type: 'close' };

export interface Failure {
  /** A code of server/errors.ts; `internal_error` for anything an engine did not mean to tell. */
  code: string;
  message: string;
  param: string | null;
  /** The code it came from; for `internal_error` alone. */
  trace?: FailureTrace;
}

/** Outcome of a call: items, then its result or failure. Ids tie it to its call, and with that to its method. */
export type CallReply<Kind extends HostKind, Method extends MethodOf<Kind>> =
  | { type: 'item'; id: number; value: ItemOf<Kind, Method> }
  | { type: 'done'; id: number; value: ResultOf<Kind, Method> | null }
  | { type: 'failed'; id: number; failure: Failure };

export type FromHost<Kind extends HostKind> =
  | { type: 'opened'; info: EngineInfo }
  | { type: 'refused'; failure: Failure }
  | CallReply<Kind, MethodOf<Kind>>
  /** A run of a graph for the call of that id. */
  | { type: 'infer'; id: number; call: number; request: InferRequest }
  /** A cancel was heard: the host is not stuck. */
  | { type: 'heard'; id: number }
  /** The process may have come to harm in a call that has ended: another takes its place. */
  | { type: 'replace' };
