/** The one interface of all kinds of remote engines: what they serve, how they are tried and asked. An adapter keeps no state. */
import type { ModelId } from '../api/common.ts';
import type {
  EngineCapabilities,
  EngineCheck,
  EngineModel,
  RemoteEngineKind,
} from '../api/console/engines.ts';
import type {
  CallMethod,
  EngineKind,
  ItemOf,
  MethodOf,
  ParamsOf,
  ResultOf,
  StreamMethod,
} from '../engine/contract.ts';
import type { EmbedParams, TokenIds } from '../engine/embeddings/types.ts';
import type { ApiError } from '../errors.ts';
import type { EngineCall, Engines } from '../hosts/engines.ts';
import type { Caller } from '../services/caller.ts';
import type { EngineConnection } from './connection.ts';

/** One request to one model of one engine. */
export interface RemoteAsk {
  connection: Pick<EngineConnection, 'send'>;
  /** The engine's name, for messages. */
  engine: string;
  role: ModelId;
  /** Its name over there. */
  model: string;
  capabilities: EngineCapabilities;
  signal: AbortSignal;
  caller: Pick<Caller, 'principal' | 'requestId'> | null;
  /** The same for requests of one conversation, and nobody's name. */
  session: string | null;
  /** The same for every try of one request; for engines that know Idempotency-Key. */
  idempotencyKey: string;
  /** Lokals that the request has passed through, by their installation's id. */
  hops: readonly string[];
  /** Packs that are bound here, for engines that compute tensors alone. */
  local: Pick<Engines, 'call' | 'stream'>;
  /** Their time and their request's id. */
  localCall: EngineCall;
  /** Token ids of texts by the embedding pack that is bound here. @throws what the pack refuses */
  tokenIds(params: EmbedParams): Promise<TokenIds>;
}

/** Engine → method → its answer; what is not there is not served. @throws EngineFault, ApiError */
export type RemoteMethods = {
  [Kind in EngineKind]?: {
    [M in CallMethod<Kind>]?: (params: ParamsOf<Kind, M>, ask: RemoteAsk) => Promise<ResultOf<Kind, M>>;
  } & {
    [M in StreamMethod<Kind>]?: (params: ParamsOf<Kind, M>, ask: RemoteAsk) => AsyncIterable<ItemOf<Kind, M>>;
  };
};

/** The means of a trial. */
export interface TrialTools {
  connection: EngineConnection;
  hasSecret: boolean;
  models: readonly EngineModel[];
  /** Packs that are bound here; an answer over there is to be as theirs. */
  local: Pick<Engines, 'call' | 'stream'>;
  signal: AbortSignal;
}

export type CheckTools = Pick<TrialTools, 'connection' | 'signal'>;

export interface TrialReport {
  server: string | null;
  found: string[];
  checks: EngineCheck[];
  models: EngineCapabilities[];
}

export interface EngineAdapter {
  kind: RemoteEngineKind;
  roles: readonly ModelId[];
  methods: RemoteMethods;
  /**
   * Reasons not to ask a model: it lacks what the request needs. An ApiError stands where no other engine of this model would
   * do better.
   */
  refusal<Kind extends EngineKind, M extends MethodOf<Kind>>(
    method: M,
    params: ParamsOf<Kind, M>,
    capabilities: EngineCapabilities,
  ): string | ApiError | null;
  /** Liveness and one authorised call. @throws EngineFault */
  check(tools: CheckTools): Promise<void>;
  /** Never throws but for the signal. */
  trial(tools: TrialTools): Promise<TrialReport>;
}

export const noCapabilities = (role: ModelId, model: string): EngineCapabilities => ({
  role,
  model,
  usable: false,
  stream: null,
  usage: null,
  tools: null,
  tool_choice: null,
  json_schema: null,
  logprobs: null,
  choices: null,
  context: null,
  tokenizes: null,
  dimensions: null,
  first_byte_ms: null,
  tokens_per_second: null,
});
