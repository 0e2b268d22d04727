/** An unexpected error in an engine host, or its end. */
import type { HostKind } from '../engine/contract.ts';
import type { FailureTrace } from '../engine/failure-trace.ts';

export interface EngineFailure {
  kind: 'engine' | 'open' | 'exit';
  engine: HostKind;
  /** The method that failed; null where the host did. */
  method: string | null;
  requestId: string | null;
  pack: string;
  /** Starts of the pack's host until then; null for trials and conversions. */
  generation: number | null;
  trace: FailureTrace;
}
