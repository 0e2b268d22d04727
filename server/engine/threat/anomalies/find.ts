import type { Level } from '../analysis.ts';
import type { LogEvent } from '../readers/event.ts';
import { findLogins } from './logins.ts';

/** Something odd that no rule names. */
export interface Anomaly {
  ruleId: string;
  title: string;
  level: Level;
  ttps: string[];
  events: LogEvent[];
}

export function findAnomalies(events: readonly LogEvent[]): Anomaly[] {
  return findLogins(events);
}
