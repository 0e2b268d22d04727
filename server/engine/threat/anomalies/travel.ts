/** One account logged on from two countries sooner than anybody travels, and one that fetches file after file. */
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const WITHIN_MS = 2 * 3_600_000;
const MIN_FILES = 20;
const COUNTRY = [
  'location.countryorregion',
  'client.geographicalcontext.country',
  'country',
  'geo.country',
  'srccountry',
  'location.country',
  'source.geo.country_iso_code',
];
const USER = ['userprincipalname', 'actor.alternateid', 'user', 'username', 'user.name', 'userid', 'suser'];
const FETCHED =
  /^(?:filedownloaded|filesyncdownloadedfull|getobject|download|fileaccessed|files\.download)$/iu;

const failed = (event: LogEvent) =>
  /^(?!0$)\d+$/u.test(firstField(event, 'status.errorcode', 'resulttype') ?? '0') ||
  /^fail|^deny|^denied/iu.test(firstField(event, 'outcome.result', 'outcome', 'result') ?? '');

export function findTravel(events: readonly LogEvent[]): Anomaly[] {
  const last = new Map<string, { country: string; event: LogEvent }>();
  const fetched = new Map<string, { names: Set<string>; events: LogEvent[] }>();
  const found: Anomaly[] = [];
  for (const event of events) {
    const user = firstField(event, ...USER);
    if (user === undefined) continue;
    const operation = firstField(event, 'operation', 'eventname', 'action', 'eventtype') ?? '';
    if (FETCHED.test(operation)) {
      const held = fetched.get(user) ?? { names: new Set(), events: [] };
      fetched.set(user, held);
      held.names.add(
        firstField(event, 'objectid', 'requestparameters.key', 'file', 'path', 'sourcefilename') ?? event.raw,
      );
      held.events.push(event);
    }
    const country = firstField(event, ...COUNTRY);
    if (country === undefined || event.timeMs === null || failed(event)) continue;
    const before = last.get(user);
    last.set(user, { country, event });
    if (before === undefined || before.country === country) continue;
    if (Math.abs(event.timeMs - (before.event.timeMs as number)) > WITHIN_MS) continue;
    found.push({
      ruleId: 'anomaly-travel',
      title: 'One account logs on from two countries within two hours',
      level: 'medium',
      ttps: ['T1078'],
      events: [before.event, event],
    });
  }
  for (const { names, events: list } of fetched.values())
    if (names.size >= MIN_FILES)
      found.push({
        ruleId: 'anomaly-mass-download',
        title: 'One account fetches file after file',
        level: 'medium',
        ttps: ['T1530', 'T1213'],
        events: list,
      });
  return found;
}
