/** Engines that answer from a table of functions, for services and routes without a host process. */
import { ApiError } from '../../server/errors.ts';
import type { EngineCall, Engines } from '../../server/hosts/engines.ts';

export type FakeMethods = Record<string, (params: never, call: EngineCall) => unknown>;

/** Keys are `role method`; a function may answer a value, a promise or an (async) iterable. */
export function fakeEngines(methods: FakeMethods = {}): Engines {
  const find = (role: string, method: string) => {
    const answer = methods[`${role} ${method}`];
    if (!answer) throw new ApiError('model_not_installed', `No pack is bound to ${role}.`);
    return answer;
  };
  return {
    async call(role, method, params, call) {
      return (await find(role, method)(params as never, call)) as never;
    },
    async *stream(role, method, params, call) {
      yield* find(role, method)(params as never, call) as AsyncIterable<never>;
    },
    bound: () => ({ ref: 'fake@1', publisher: 'tests', installed: 1_700_000_000 }),
    served: () => ({ pack: 'fake@1', provider: 'cpu' }),
  };
}
