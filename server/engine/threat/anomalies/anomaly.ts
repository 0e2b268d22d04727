import type { LogEvent } from '../readers/event.ts';
import type { Level } from '../types.ts';

/** Something odd in the events that no rule names. */
export interface Anomaly {
  ruleId: string;
  title: string;
  level: Level;
  ttps: string[];
  events: LogEvent[];
  /** The one event whose account, host and process matter; without it, all of them do. */
  about?: LogEvent;
}
