/** The engines as services know them: a role is asked, a pack's host process answers. */
import type { ModelId, Region } from '../api/common.ts';
import type { CallMethod, EngineOf, ItemOf, ParamsOf, ResultOf, StreamMethod } from '../engine/contract.ts';
import type { Infer } from '../engine/onnx/types.ts';
import type { PackFacts } from '../packs/pack-facts.ts';
import type { Meter, Principal } from '../services/caller.ts';

export interface EngineCall {
  /** Aborts the call in the host at its next step. A caller will do: its signal is made when it is asked for. */
  signal: AbortSignal;
  /** The call is cancelled and fails with server_overloaded when it takes longer. */
  deadlineMs: number;
  /** Names the request in a record of its failure. */
  requestId?: string;
  /** An installed pack (`id@version`) that answers in place of the bound one. */
  pack?: string | null;
  /** Who asks; none for the console's own calls, which stay on this machine. */
  principal?: Principal;
  region?: Region | null;
  /** Asks for this machine alone, whatever the key allows. */
  localOnly?: boolean;
  /** The client's own name of a conversation. */
  session?: string | null;
  /** Lokals that the request has passed through. */
  hops?: readonly string[];
  /** Gets the tries. */
  meter?: Meter;
  /** Runs the pack's named graphs in the host's place. */
  infer?: Infer;
  /** Nothing is passed on before the answer is whole, so that another engine can still take over. */
  whole?: boolean;
  /** A host was ended while it had the call. */
  again?: boolean;
}

/** Which pack served, for the response headers. */
export interface Served {
  pack: string;
  provider: string | null;
  /** `on`, or why its process is not confined, as it says itself. */
  confinement?: string | null;
}

export interface Engines {
  /**
   * Asks the pack bound to `role`, loading it first where needed.
   * @throws ApiError model_not_installed, model_loading, engine_crashed, server_overloaded, shutting_down, and what the engine refuses
   */
  call<Role extends ModelId, Method extends CallMethod<EngineOf<Role>>>(
    role: Role,
    method: Method,
    params: ParamsOf<EngineOf<Role>, Method>,
    options: EngineCall,
  ): Promise<ResultOf<EngineOf<Role>, Method>>;
  /** The same for a method that answers item by item. */
  stream<Role extends ModelId, Method extends StreamMethod<EngineOf<Role>>>(
    role: Role,
    method: Method,
    params: ParamsOf<EngineOf<Role>, Method>,
    options: EngineCall,
  ): AsyncIterable<ItemOf<EngineOf<Role>, Method>>;
  /** The pack bound to a role, or null. */
  bound(role: ModelId): BoundPack | null;
  /** Its figures, where it lies on this machine. */
  facts?(role: ModelId): PackFacts | null;
  /** The pack chosen for the scores of /v1/rerank; without one the embeddings pack's vectors are compared. */
  reranker?(): string | null;
  /** The pack that served the role last, or `pack` in its place. */
  served(role: ModelId, pack?: string | null): Served | null;
}

export interface BoundPack {
  /** `id@version`. */
  ref: string;
  /** As people know it. */
  name: string;
  publisher: string;
  /** Unix seconds. */
  installed: number;
}
