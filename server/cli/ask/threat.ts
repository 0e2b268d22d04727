/** `lokal threat`: a text of any length, read in parts, and the report of the whole. */
import { JoinedReport } from '../../api/services/join-reports.ts';
import type { ThreatResult } from '../../api/services/moderations.ts';
import { cutStream, type TextPart } from '../../api/services/text-pieces.ts';
import { isWorthFollowing } from '../../api/services/worth-following.ts';
import { type Command, table } from '../command.ts';
import { type LocalApi, withApi } from '../server/local-api.ts';
import { showProgress, streamInputText } from './input.ts';

type Outcome = ThreatResult['results'][number];

/** In one request: few, so that others who ask get their turn. */
const partsAtOnce = 4;
const mostFindings = 50;
const mostIndicators = 20;

export const threat: Command = {
  help: `Usage: lokal threat [TEXT] [--json]

Prints what a log, an alert or a request tells: findings with their lines, indicators worth following up, what to do; the text may
be piped in. One longer than 32 KB is read in parts of at most 32 KB that end at lines, however long it is; what shows across parts
alone is not seen. At most ${mostFindings} findings and ${mostIndicators} indicators are printed, --json has them all. Ends with code 1 from severity
medium.`,
  options: {},
  async run(input) {
    const texts = streamInputText(input);
    const result = await withApi((api) => analyze(cutStream(texts), api));
    const [outcome] = result.results;
    input.print(result, toLines(outcome!));
    if (outcome!.severity !== 'informational' && outcome!.severity !== 'low') process.exitCode = 1;
  },
};

async function analyze(pieces: AsyncIterable<TextPart>, api: LocalApi): Promise<ThreatResult> {
  const joined = new JoinedReport();
  let last: ThreatResult | null = null;
  showProgress('Analyzing');
  try {
    for await (const parts of inGroups(pieces)) {
      showProgress(`Analyzing from line ${parts[0]!.lines + 1}`);
      const body = { model: 'svc-guard-max', input: parts.map(({ text }) => text) };
      last = await api.ask<ThreatResult>('/v1/moderations', body);
      for (const [index, outcome] of last.results.entries()) joined.add(parts[index]!, outcome);
    }
  } finally {
    showProgress('');
  }
  return { ...last!, results: [joined.report()!] };
}

async function* inGroups(parts: AsyncIterable<TextPart>): AsyncGenerator<TextPart[]> {
  let group: TextPart[] = [];
  for await (const part of parts) {
    group.push(part);
    if (group.length < partsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function toLines(outcome: Outcome): string[] {
  const { severity, confidence, summary, findings, indicators, ttps, recommended_actions: actions } = outcome;
  const worth = indicators
    .filter(isWorthFollowing)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, mostIndicators);
  const rows = findings
    .slice(0, mostFindings)
    .map(({ level, lines: [first], count, title }) => [
      `  ${level}`,
      first ? `line ${first.line}` : '',
      count > 1 ? `${count} times` : '',
      title,
    ]);
  return [
    `${severity} (${confidence.toFixed(2)})`,
    summary,
    ...table(rows),
    ...more(findings.length - rows.length, 'finding'),
    ...(ttps.length > 0 ? [`Techniques: ${ttps.join(', ')}`] : []),
    ...table(worth.map(({ type, value }) => [`  ${type}`, value])),
    ...more(indicators.length - worth.length, worth.length > 0 ? 'other indicator' : 'indicator'),
    ...actions.map((action) => `- ${action}`),
  ];
}

const more = (count: number, noun: string): string[] =>
  count > 0 ? [`  ${count} ${noun}${count === 1 ? '' : 's'} with --json`] : [];
