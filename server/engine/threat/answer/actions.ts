/** Chooses containment actions, each about something that was found: an account, a host, a process, an address. */
import { isIP } from 'node:net';
import { addressScope } from '../indicators/address.ts';
import type { Finding, Indicator, Language, Subjects } from '../types.ts';
import type { ActionTexts } from './answer-texts.ts';
import { rank } from './score.ts';
import { programName } from './subjects.ts';

const MAX_ACTIONS = 10;
const SLOTS: readonly [string, keyof Subjects][] = [
  ['host', 'hosts'],
  ['user', 'users'],
  ['process', 'processes'],
  ['address', 'addresses'],
  ['file', 'files'],
];

/** In the order of the findings they answer; nothing is said twice. */
export function recommendActions(
  findings: readonly Finding[],
  indicators: readonly Indicator[],
  { language, texts }: { language: Language; texts: ActionTexts },
): string[] {
  const actions = new Set<string>();
  const brief = new Set(texts.brief);
  for (const finding of findings) {
    for (const action of texts.actions) {
      if (
        rank(finding.level) < rank(action.minimum) ||
        !finding.ttps.some((id) => action.ttps.some((prefix) => id.startsWith(prefix)))
      )
        continue;
      const text = fill(action.text[language], blockable(action.text.en, running(finding.subjects, brief)));
      if (text !== null) actions.add(text);
    }
  }
  const values = indicators
    .filter(
      (indicator) =>
        indicator.confidence >= 0.8 &&
        indicator.scope === 'public' &&
        ['ip', 'domain', 'url', 'sha256', 'sha1', 'md5'].includes(indicator.type),
    )
    .slice(0, 5);
  const list = [...actions].slice(0, MAX_ACTIONS);
  const unnamed = values
    .filter(({ value }) => !list.some((text) => names(text, value)))
    .map(({ type, value }) => (type === 'url' || type === 'domain' ? defanged(value) : value));
  if (unnamed.length > 0) list.push(texts.indicators[language].replace('{values}', () => unnamed.join(', ')));
  const serious = findings.filter((finding) => rank(finding.level) >= rank('medium'));
  if (serious.length > 0) list.push(texts.evidence[language].replace('{lines}', () => lineList(serious)));
  return list.length === 0 ? [texts.nothing[language]] : list;
}

/** Without programs that have ended by themselves. */
const running = (subjects: Subjects, brief: ReadonlySet<string>): Subjects => ({
  ...subjects,
  processes: subjects.processes.filter((path) => !brief.has(programName(path))),
});

/** An address that stands for this network, or for none, is never to be blocked. */
const BLOCKS = /^Block\b/u;

const blockable = (text: string, subjects: Subjects): Subjects =>
  BLOCKS.test(text)
    ? { ...subjects, addresses: subjects.addresses.filter((value) => isOutside(value)) }
    : subjects;

const isOutside = (value: string) =>
  isIP(value) !== 0 && ['public', 'documentation'].includes(addressScope(value));

/** A link that nobody follows by a slip: advice goes into tickets and mails, which make links of addresses. */
const defanged = (value: string): string =>
  value
    .replace(/^http(?=s?:)/iu, 'hxxp')
    .replace(/^(?:[\w+.-]+:\/\/)?[^/?#]+/u, (host) => host.replaceAll('.', '[.]'));

/** True where the text holds the value as a whole: 10.0.0.1 does not name 10.0.0.12. */
const names = (text: string, value: string) => text.split(/[\s,，、]+/u).includes(value);

function fill(template: string, subjects: Subjects): string | null {
  let text = template;
  for (const [slot, kind] of SLOTS) {
    if (!text.includes(`{${slot}}`)) continue;
    const values = subjects[kind];
    if (values.length === 0) return null;
    text = text.replaceAll(`{${slot}}`, () => values.slice(0, 3).join(', '));
  }
  return text;
}

function lineList(findings: readonly Finding[]): string {
  const lines = [...new Set(findings.flatMap((finding) => finding.lines.map((span) => span.line)))].toSorted(
    (a, b) => a - b,
  );
  return lines.slice(0, 8).join(', ') + (lines.length > 8 ? ', …' : '');
}
