/** Odd things that no rule names. All of it is counting over what was pasted: no history is kept between calls. */
import type { Level } from '../analysis.ts';
import type { LogEvent } from '../readers/event.ts';
import { findBeacons } from './beacons.ts';
import { findBursts } from './bursts.ts';
import { findSecretsAndBlobs } from './entropy.ts';
import { findFirstSeen } from './first-seen.ts';
import { findLogins } from './logins.ts';
import { findRareTemplates } from './templates.ts';

export interface Anomaly {
  ruleId: string;
  title: string;
  level: Level;
  ttps: string[];
  events: LogEvent[];
  /** The one event whose account, host and process matter; without it, all of them do. */
  about?: LogEvent;
}

export function findAnomalies(events: readonly LogEvent[]): Anomaly[] {
  return [
    ...findLogins(events),
    ...findBeacons(events),
    ...findBursts(events),
    ...findFirstSeen(events),
    ...findSecretsAndBlobs(events),
    ...findRareTemplates(events),
  ];
}
