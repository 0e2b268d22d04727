/** Attacks in the words of the events: commands however quoted, and what alerts and people report. */

import type { LogEvent } from '../readers/event.ts';
import type { Level } from '../types.ts';
import { decodeValue } from '../web/request/decode.ts';
import { isRequest } from '../web/request/web-request.ts';
import { shellForms } from './shell-forms.ts';
import type { TextSignature, TextSignatures } from './text-signatures.ts';

export interface TextHit {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
  /** Words that tell of an attack, and are none themselves. */
  isMention: boolean;
  /** The words around it cannot make it doubtful. */
  isSure: boolean;
  events: LogEvent[];
}

/** Longer texts are logs: what stands far apart in them has nothing to do with each other. */
const MAX_WHOLE = 6144;
/** Share of lines that no reader knows, from which a text is prose. */
const PROSE = 0.5;
/** Characters looked at of all events together. */
const MAX_SCANNED = 262_144;

/** The words of an event: its line, or its values where the line is JSON or XML. */
function wordsOf(event: LogEvent): string {
  if (!/^(?:json|windows|cloudtrail|.*-eve|azure|okta|gcp|m365|kubernetes)/u.test(event.format))
    return event.raw;
  return `${event.raw} ${[...event.fields.values()].flat().join(' ')}`.slice(0, 16_384);
}

/** Families of signatures that know what operators run, not what is sent to break a page or to lure. */
const COMMANDS = /^sig-(?:exec|cred|evasion|impact|persist|lateral|exfil)-/u;

/** The body of a request, its encoding undone. */
const sentBy = (event: LogEvent): string =>
  (event.fields.get('cs-body') ?? []).map((body) => decodeValue(body, true).text).join('\n');

const hitOf = ({ id, title, level, ttps, mention, sure }: TextSignature, event: LogEvent): TextHit => ({
  id,
  title,
  level,
  ttps,
  isMention: mention,
  isSure: sure,
  events: [event],
});

/** Hits by event; the same line is looked at once. */
export function detectText(text: string, events: readonly LogEvent[], signatures: TextSignatures): TextHit[] {
  const hits: TextHit[] = [];
  const seen = new Map<string, ReadonlySet<TextSignature>>();
  const isShort = text.length <= MAX_WHOLE;
  const isTaught = () => isShort && (signatures.teaches(text) || signatures.isAboutNothing(text));
  let scanned = 0;
  for (const event of events) {
    // The web detectors know what clients may send, but not every command of an operator.
    const isSent = isRequest(event);
    const words = isSent ? sentBy(event) : wordsOf(event);
    scanned += words.length;
    if (scanned > MAX_SCANNED) break;
    let found = seen.get(words);
    if (found === undefined) {
      found = signatures.match(shellForms(words), {
        scope: 'line',
        teaches: () => isTaught() || signatures.teaches(words),
      });
      seen.set(words, found);
    }
    for (const signature of found)
      if (!isSent || (!signature.mention && COMMANDS.test(signature.id))) hits.push(hitOf(signature, event));
  }
  if (isShort && events.length > 0) {
    const plain = events.filter(({ format }) => format === 'text').length;
    const weighed = plain >= events.length * PROSE ? signatures.weigh(text) : [];
    for (const { id, title, level, ttps } of weighed)
      hits.push({ id, title, level, ttps, isMention: true, isSure: false, events: [events[0] as LogEvent] });
    const whole = [text.replace(/\s+/gu, ' ')];
    for (const signature of signatures.match(whole, { scope: 'text', teaches: isTaught }))
      hits.push(hitOf(signature, events[0] as LogEvent));
  }
  return hits;
}
