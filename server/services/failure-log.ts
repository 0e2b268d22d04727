/** Unexpected errors of the server and of engine hosts: each is logged, kept among the latest and told to the console. */
import type { FailureRecord } from '../api/console/installation/failures.ts';
import type { FailureStore } from '../db/journal/failures.ts';
import { type FailureTrace, traceOf } from '../engine/failure-trace.ts';
import type { EngineFailure } from '../hosts/engine-failure.ts';
import type { EventBus } from './console/events.ts';

export interface FailureLog {
  /** An error that the server did not expect while it worked on a request. */
  ofRequest(error: unknown, requestId: string): void;
  ofEngine(failure: EngineFailure): void;
  /** Newest first. */
  latest(): FailureRecord[];
}

const kept = 500;

export interface FailureLogDeps {
  store: FailureStore;
  events: Pick<EventBus, 'publish'>;
  log: { error(record: object, message: string): void };
  now: () => number;
}

export function createFailureLog({ store, events, log, now }: FailureLogDeps): FailureLog {
  function add(record: FailureRecord): void {
    log.error(record, record.kind === 'request' ? 'a request failed' : 'an engine failed');
    events.publish({ type: 'failure', failure: record });
    try {
      store.append(record, kept);
    } catch {
      // A full disk; the log has it.
    }
  }
  return {
    ofRequest: (error, requestId) =>
      add({
        ...toRecord('request', traceOf(error), now()),
        request_id: requestId,
      }),
    ofEngine: ({ kind, trace, requestId, engine, method, pack, generation }) =>
      add({
        ...toRecord(kind, trace, now()),
        request_id: requestId,
        engine,
        method,
        pack,
        generation,
      }),
    latest: () => store.latest(kept),
  };
}

const toRecord = (kind: FailureRecord['kind'], trace: FailureTrace, time_ms: number): FailureRecord => ({
  time_ms,
  kind,
  ...trace,
  request_id: null,
  engine: null,
  method: null,
  pack: null,
  generation: null,
});
