/** Finds odd things that no rule names. All of it is counting over what was pasted: no history is kept between calls. */
import type { LogEvent } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';
import type { AnomalyWords } from './anomaly-words.ts';
import { findBeacons } from './beacons.ts';
import { findBursts } from './bursts.ts';
import { findSecretsAndBlobs } from './entropy.ts';
import { findCountedCodes, findEnumeration } from './enumeration.ts';
import { findFirstSeen } from './first-seen.ts';
import { findLogins } from './logins.ts';
import { findRefusedFactors } from './mfa.ts';
import { findRareTemplates } from './rare-templates.ts';
import { findTransfers } from './transfers.ts';
import { findTravel } from './travel.ts';
import { findTriedPasswords } from './tried-passwords.ts';

export function findAnomalies(events: readonly LogEvent[], words: AnomalyWords): Anomaly[] {
  return [
    ...findLogins(events),
    ...findBeacons(events),
    ...findBursts(events),
    ...findEnumeration(events, words),
    ...findCountedCodes(events, words),
    ...findFirstSeen(events),
    ...findSecretsAndBlobs(events),
    ...findRareTemplates(events),
    ...findRefusedFactors(events),
    ...findTransfers(events),
    ...findTravel(events),
    ...findTriedPasswords(events, words),
  ];
}
