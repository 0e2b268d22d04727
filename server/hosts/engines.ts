/** The engines as services know them: a role is asked, a pack's host process answers. */
import type { ModelId } from '../api/common.ts';
import type { CallMethod, EngineOf, ItemOf, ParamsOf, ResultOf, StreamMethod } from '../engine/contract.ts';

export interface EngineCall {
  /** Aborts the call in the host at its next step. A caller will do: its signal is made when it is asked for. */
  signal: AbortSignal;
  /** The call is cancelled and fails with server_overloaded when it takes longer. */
  deadlineMs: number;
  /** Names the request in a record of its failure. */
  requestId?: string;
  /** An installed pack (`id@version`) that answers in place of the bound one. */
  pack?: string | null;
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
  /** The pack that served the role last, or `pack` in its place. */
  served(role: ModelId, pack?: string | null): Served | null;
}

export interface BoundPack {
  ref: string;
  publisher: string;
  /** Unix seconds. */
  installed: number;
}
