/** Engines that answer from a table of functions, for services and routes without a host process. */
import type { ModelId } from '../../server/api/common.ts';
import type {
  CallMethod,
  EngineKind,
  EngineOf,
  ItemOf,
  ParamsOf,
  ResultOf,
  StreamMethod,
} from '../../server/engine/contract.ts';
import { engineOf } from '../../server/engine/protocol.ts';
import { ApiError } from '../../server/errors.ts';
import type { EngineCall, Engines } from '../../server/hosts/engines.ts';

type FakeCalls<Kind extends EngineKind> = {
  [M in CallMethod<Kind>]?: (
    params: ParamsOf<Kind, M>,
    call: EngineCall,
  ) => ResultOf<Kind, M> | Promise<ResultOf<Kind, M>>;
};
type FakeStreams<Kind extends EngineKind> = {
  [M in StreamMethod<Kind>]?: (
    params: ParamsOf<Kind, M>,
    call: EngineCall,
  ) => Iterable<ItemOf<Kind, M>> | AsyncIterable<ItemOf<Kind, M>>;
};

/** Engine → method → its answer. */
export type FakeMethods = { [Kind in EngineKind]?: FakeCalls<Kind> & FakeStreams<Kind> };

export function fakeEngines(methods: FakeMethods = {}): Engines {
  const callsOf = <Role extends ModelId>(role: Role): FakeCalls<EngineOf<Role>> | undefined =>
    methods[engineOf[role]];
  const streamsOf = <Role extends ModelId>(role: Role): FakeStreams<EngineOf<Role>> | undefined =>
    methods[engineOf[role]];
  return {
    async call(role, method, params, call) {
      return (callsOf(role)?.[method] ?? unbound(role))(params, call);
    },
    async *stream(role, method, params, call) {
      yield* (streamsOf(role)?.[method] ?? unbound(role))(params, call);
    },
    bound: () => ({ ref: 'fake@1', name: 'Fake', publisher: 'tests', installed: 1_700_000_000 }),
    facts: () => ({
      sizeBytes: 1_234_567,
      context: 2048,
      dims: null,
      weights: 134_515_008,
      quantization: 'speed, 4.5 bits a weight',
      architecture: 'llama',
    }),
    served: () => ({ pack: 'fake@1', provider: 'cpu' }),
  };
}

function unbound(role: ModelId): never {
  throw new ApiError('model_not_installed', `No pack is bound to ${role}.`);
}
