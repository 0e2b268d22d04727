/** Lines unlike all others that also speak of trouble. Rarity alone is no finding: every log has its rare lines. */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';
import { Drain } from './drain.ts';

const MIN_LINES = 40;
const MAX_LINES = 4000;
const TROUBLE =
  /\b(?:segfault|core dumped|stack smashing|heap corruption|buffer overflow|kernel panic|tamper(?:ed|ing)|checksum mismatch|integrity (?:check )?(?:fail\w*|violation)|unauthori[sz]ed|exploit|backdoor|rootkit|malware|ransom\w*|exfiltrat\w*|privilege escalation|possible break-in|port ?scan|injection attempt)\b|入侵|篡改|恶意|pencerobohan|perisian hasad/iu;

export function findRareTemplates(events: readonly LogEvent[]): Anomaly[] {
  if (events.length < MIN_LINES) return [];
  const drain = new Drain();
  const lines = events.slice(0, MAX_LINES);
  for (const [i, event] of lines.entries())
    drain.add((firstField(event, 'message') ?? event.raw).slice(0, 512), i);
  const rare = drain
    .templates()
    .filter((template) => template.lines.length === 1)
    .map((template) => lines[template.lines[0] as number] as LogEvent)
    .filter(
      (event) =>
        (event.format === 'text' || event.format === 'syslog') && TROUBLE.test(event.raw.slice(0, 2048)),
    );
  return rare.length === 0
    ? []
    : [
        {
          ruleId: 'anomaly-rare-template',
          title: 'Line unlike all others that speaks of trouble',
          level: 'low',
          ttps: [],
          events: rare.slice(0, 20),
        },
      ];
}
