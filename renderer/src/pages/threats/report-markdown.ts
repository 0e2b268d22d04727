/** The analysis as a document for people: Markdown, its indicators defanged. */
import { percent } from '../../format/numbers.ts';
import { toMinute } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import { concerned } from './evidence.ts';
import {
  defang,
  type Finding,
  type Indicator,
  partIndicators,
  type ThreatOutcome,
  wordsOf,
} from './indicators.ts';
import { toLineText } from './line-text.ts';

/** Text of a log must not become a heading, a link or a cell of its own. */
const inline = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);

/** A fence longer than any within, so that the command cannot close it. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** @param file name of the file that the log was read from, where it was */
export function reportMarkdown(
  outcome: ThreatOutcome,
  file: string | null = null,
  madeAtMs = Date.now(),
): string {
  const { worth, others } = partIndicators(outcome.indicators);
  const title = `${t(`threats.levels.${outcome.severity}`)}, ${tn('threats.finding_count', outcome.findings.length)}`;
  const parts = [
    `# ${t('threats.assessment')}: ${title}`,
    [
      toMinute(madeAtMs / 1000),
      ...(file ? [`${t('threats.file')} ${inline(file)}`] : []),
      `${t('threats.confidence')} ${percent(outcome.confidence)}`,
    ].join(' · '),
    inline(outcome.summary),
    `## ${t('threats.findings')}`,
    ...(outcome.findings.length > 0 ? outcome.findings.map(toFinding) : [t('threats.no_findings')]),
    ...section(
      t('threats.attack'),
      outcome.techniques.map(({ id, name, tactics }) => `${id} ${name} (${tactics.join(', ')})`),
    ),
    ...section(t('threats.worth'), worth.map(toRow)),
    ...section(t('threats.not_worth'), others.map(toRow)),
    ...section(t('threats.actions'), outcome.recommended_actions.map(inline)),
  ];
  return `${parts.join('\n\n')}\n`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`## ${title}`, bullets(lines)] : [];

const toRow = (indicator: Indicator): string =>
  `${t(`threats.types.${indicator.type}`)}: ${inline(defang(indicator))}`;

/** Times, who and what was concerned, and the lines themselves. */
function toEvidence(evidence: Finding['evidence']): string[] {
  if (!evidence) return [];
  const rows = concerned(evidence).map(([label, value]) => `${label}: ${inline(value)}`);
  const lines = evidence.excerpts.map(({ line, text }) => `${line}: ${text}`);
  return [
    ...(rows.length > 0 ? [bullets(rows)] : []),
    ...(lines.length > 0 ? [codeBlock(lines.join('\n'))] : []),
  ];
}

function toFinding(finding: Finding, index: number): string {
  const facts = [
    t(`threats.sources.${finding.source}`),
    toLineText(finding, Number.POSITIVE_INFINITY),
    `${t('threats.confidence')} ${percent(finding.confidence)}`,
    ...finding.ttps,
  ].filter(Boolean);
  const head = `### ${index + 1}. ${inline(wordsOf(finding).title)} (${t(`threats.levels.${finding.level}`)})`;
  return [
    head,
    facts.join(' · '),
    ...(wordsOf(finding).description ? [inline(wordsOf(finding).description ?? '')] : []),
    ...toEvidence(finding.evidence),
    ...(finding.decoded ?? []).flatMap((command) => [`${t('threats.decoded')}:`, codeBlock(command)]),
  ].join('\n\n');
}
