/** A caller as the auth plugin would make it. */
import { type KeyClass, type modelIds, type Plan, type Scope, scopes } from '../../server/api/common.ts';
import { type Caller, emptyMeter } from '../../server/services/caller.ts';

export interface CallerOptions {
  class?: KeyClass;
  plan?: Plan;
  scopes?: readonly Scope[];
  models?: readonly (typeof modelIds)[number][] | null;
  signal?: AbortSignal;
}

export function makeCaller(options: CallerOptions = {}): Caller {
  return {
    principal: {
      keyId: 'key_0001',
      name: 'test caller',
      class: options.class ?? 'live',
      plan: options.plan ?? 'enterprise',
      scopes: new Set(options.scopes ?? scopes),
      models: options.models ? new Set(options.models) : null,
    },
    requestId: 'req-1',
    signal: options.signal ?? new AbortController().signal,
    deadlineMs: 60_000,
    region: null,
    pack: null,
    localOnly: false,
    session: null,
    hops: [],
    meter: emptyMeter(),
    files: new Map(),
  };
}
