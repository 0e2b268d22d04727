/** Text in, answer out: read → match rules → web requests → correlations → anomalies → indicators → score. */

import { findAnomalies } from './anomalies/find.ts';
import { findAttackersLogins } from './anomalies/logins.ts';
import { recommendActions } from './answer/actions.ts';
import { Findings, type Hit } from './answer/findings.ts';
import { guessLanguage } from './answer/language.ts';
import { raiseIndicators, rank, rankFindings, scoreFindings } from './answer/score.ts';
import { summarize } from './answer/summary.ts';
import { translate } from './answer/titles.ts';
import type { AttackTable } from './attack/table.ts';
import { techniquesOf } from './attack/table.ts';
import { extractIndicators } from './indicators/extract.ts';
import type { Knowledge } from './knowledge.ts';
import type { LogEvent } from './readers/event.ts';
import { readEvents } from './readers/read.ts';
import type { RuleSet } from './rule-set.ts';
import type { RuleMatch } from './sigma/correlation.ts';
import type { RuleHead } from './sigma/parse-rule.ts';
import { decodeCommands, withDecoded } from './text/decoded.ts';
import { detectText } from './text/detect-text.ts';
import { isJudged, isOnlyWords, likeliest, MAX_EVENTS } from './text/learnt.ts';
import { type Form, textFormOf } from './text/marks.ts';
import type { TextSignatures } from './text/text-signatures.ts';
import type { Analysis, Language, Level } from './types.ts';
import type { SeenValues } from './web/detect-web.ts';
import { DOUBTED_BODY, DOUBTED_TALE, type Doubt } from './web/doubts.ts';
import { isRequest } from './web/request/web-request.ts';

export interface Analyzer {
  rules: RuleSet;
  table: AttackTable;
  knowledge: Knowledge;
}

interface Detected {
  events: LogEvent[];
  findings: Findings;
  /** Ids of findings whose words only tell of an attack. */
  mentions: ReadonlySet<string>;
  /** Ids of findings that no words make doubtful. */
  sure: ReadonlySet<string>;
  /** Doubts about findings in requests, by their ids: one value without a doubt bears it out, whatever the others say. */
  doubts: ReadonlyMap<string, readonly Doubt[]>;
  /** The text explains attacks, or is about none. */
  isTaught: boolean;
}

/** Events of a text and what rules, signatures and statistics find in them, before the words are judged. */
export function detectThreats(text: string, analyzer: Analyzer): Detected {
  const { rules, knowledge } = analyzer;
  const events = readEvents(text, knowledge.sources);
  const findings = new Findings();
  const [mentions, sure] = [new Set<string>(), new Set<string>()];
  leaveOutHarmless(events, knowledge.signatures);
  const isTaught = knowledge.signatures.teaches(text) || knowledge.signatures.isAboutNothing(text);
  const matches = matchRules(events, rules).filter(({ event }) => !(isTaught && isOnlyTold(event)));
  reportRules(matches, findings, analyzer);
  const seen: SeenValues = new Map();
  const doubts = new Map<string, Doubt[]>();
  for (const event of events) {
    for (const { id, title, level, ttps, doubts: all } of knowledge.web.detect(event, seen)) {
      findings.add({ ruleId: id, title, level, ttps, status: 'stable', source: 'web', events: [event] });
      doubts.set(id, [...(doubts.get(id) ?? []), ...all]);
    }
  }
  const known = levelsByEvent(matches);
  const hits = detectText(text, events, knowledge.signatures);
  const standing = lessenStopped(hits, ({ id: key, events: [event] }) => ({ key, event }));
  for (const { id, isMention, isSure, ...hit } of standing) {
    if (!hit.events.some((event) => (known.get(event) ?? -1) < Math.min(rank(hit.level), rank('high'))))
      continue;
    findings.add({ ...hit, ruleId: id, status: 'stable', source: 'text' });
    if (isMention) mentions.add(id);
    if (isSure) sure.add(id);
  }
  const anomalies = findAnomalies(events, knowledge.anomalies);
  if (!anomalies.some(({ ruleId }) => ruleId === 'anomaly-guessed-login'))
    anomalies.push(...findAttackersLogins(events, attackersOf(findings)));
  for (const anomaly of anomalies) findings.add({ ...anomaly, status: 'experimental', source: 'anomaly' });
  return { events, findings, mentions, sure, doubts, isTaught };
}

/** Clients whose requests were attacks. */
const attackersOf = (findings: Findings): Set<string> =>
  new Set(
    findings
      .list()
      .filter(({ source, level }) => source === 'web' && rank(level) >= rank('high'))
      .flatMap(({ subjects }) => subjects.addresses),
  );

export function analyzeText(text: string, wanted: Language | undefined, analyzer: Analyzer): Analysis {
  const detected = detectThreats(text, analyzer);
  const { events, findings } = detected;
  if (isJudged(text, events)) judge(text, detected, analyzer);
  const decoded = decodeCommands(text);
  const ranked = withDecoded(rankFindings(findings.list()), decoded);
  const indicators = raiseIndicators(extractIndicators(text, events, decoded), ranked, events);
  return toAnalysis({ events, ranked, indicators, analyzer, language: wanted ?? guessLanguage(events) });
}

const LEARNT: Omit<Hit, 'confidence' | 'events'> = {
  ruleId: 'learnt-words',
  title: 'Words of the text are those of attacks',
  level: 'medium',
  ttps: [],
  status: 'experimental',
  source: 'learnt',
};
/**
 * Probability below which a finding is not believed, by the form of the text: what is only told of, and commands by the level that
 * their rule gave them. Sentences say what became of it; an event with fields says little besides, so its rule is believed longer.
 * What is critical stays outside of sentences, and so do the words of imported rules.
 */
const DOUBTED: Record<Form, Record<'mention' | 'medium' | 'high' | 'critical', number>> = {
  prose: { mention: 0.55, medium: 0.55, high: 0.55, critical: 0.3 },
  line: { mention: 0.55, medium: 0.55, high: 0.55, critical: 0 },
  event: { mention: 0.5, medium: 0.25, high: 0.25, critical: 0 },
};
/** The same for what is critical in an audit trail: calls hold no sentences, a command line may. */
const DOUBTED_CALL = 0.05;

/** Probability from which words are reported in a text that explains attacks or is about none, tells of a request, has many lines. */
const STRANGE = 0.6;
/** The same for a request itself. */
const STRANGE_REQUEST = 0.5;

/** Events with fields hold few words that tell, and so do some lines of a log; sentences hold most: less is enough there. */
const FEWER_WORDS = { event: 0.14, lines: 0.08, prose: 0.06 };
const LEAST_LINES = 3;

/** Probability from which words alone are a finding. */
export const leastOf = (
  text: string,
  { isTaught, events }: Pick<Detected, 'isTaught' | 'events'>,
  threshold: number,
): number => {
  if (events.some(isRequest)) return STRANGE_REQUEST;
  if (isTaught || !isOnlyWords(events)) return Math.max(STRANGE, threshold);
  const form = textFormOf(text);
  if (form === 'event') return threshold - FEWER_WORDS.event;
  if (text.trim().split('\n', LEAST_LINES).length === LEAST_LINES) return threshold - FEWER_WORDS.lines;
  return form === 'prose' ? threshold - FEWER_WORDS.prose : threshold;
};

/** Ids of findings that the words of everyday work make remarks. */
export const doubted = (
  text: string,
  probability: number,
  { findings, mentions, sure, doubts, events }: Omit<Detected, 'isTaught'>,
  isOwn: (ruleId: string) => boolean,
  probabilityOf: (text: string) => number,
): string[] => {
  const isDoubtful = ({ below, worded }: Doubt) =>
    probability < below ||
    (worded !== undefined && probability < worded.below && probabilityOf(worded.core) < worded.below);
  if (!isOnlyWords(events)) {
    const isSent = events.some(isRequest);
    const isTale = !isSent && probability < DOUBTED_TALE;
    // A body quotes commands as lessons and rules do.
    const isQuoted = isSent && probability < DOUBTED_BODY;
    const told = findings
      .list()
      .filter(
        ({ ruleId, source, level }) =>
          source === 'text' &&
          (isQuoted || !sure.has(ruleId)) &&
          (events.length <= MAX_EVENTS || mentions.has(ruleId) || level === 'medium'),
      );
    return [
      ...[...doubts].flatMap(([ruleId, all]) => (all.every(isDoubtful) ? [ruleId] : [])),
      ...(isTale || isQuoted ? told.map(({ ruleId }) => ruleId) : []),
    ];
  }
  const form = textFormOf(text);
  const limits =
    form === 'event' && events.every(({ fields }) => fields.has('auditaction'))
      ? { ...DOUBTED.event, critical: DOUBTED_CALL }
      : DOUBTED[form];
  const listed = findings.list().filter(({ ruleId, level, source }) => {
    if (sure.has(ruleId)) return false;
    if (mentions.has(ruleId)) return probability < limits.mention;
    const limit = level === 'informational' || level === 'low' ? 0 : limits[level];
    return probability < limit && ((source !== 'sigma' && source !== 'correlation') || isOwn(ruleId));
  });
  return listed.map(({ ruleId }) => ruleId);
};

/** Adds what the words say where no rule has explained the text, and lowers to a remark what they make doubtful. */
function judge(text: string, detected: Detected, { rules, knowledge: { learnt } }: Analyzer): void {
  const { events, findings } = detected;
  const probability = learnt.probability(text, findings.list());
  const lowered = doubted(
    text,
    probability,
    detected,
    (ruleId) => rules.isBuiltIn(ruleId),
    (core) => learnt.probability(core, findings.list()),
  );
  for (const id of lowered) findings.lower(id);
  const known = Math.max(-1, ...findings.list().map(({ level }) => rank(level)));
  if (known < rank('medium') && probability >= leastOf(text, detected, learnt.threshold))
    findings.add({ ...LEARNT, confidence: probability, events: [likeliest(events, learnt)] });
}

const HAS_CUT = /\b(?:curl|wget|irm|iwr|iex|[efz]?grep|select|git|auditctl|dev\/tcp)\b/iu;

/** Takes well-known installers, and what is only searched for, out of command lines, as they are taken out of text. */
function leaveOutHarmless(events: readonly LogEvent[], signatures: TextSignatures): void {
  for (const event of events) {
    const commands = event.fields.get('commandline');
    if (commands === undefined || !commands.some((command) => HAS_CUT.test(command))) continue;
    const left = commands.map((command) => {
      const lower = command.toLowerCase();
      const rest = signatures.without(lower);
      return rest === lower ? command : rest;
    });
    event.fields.set('commandline', [...new Set(left)]);
  }
}

/** A command line inside a sentence: a lesson names it as well. */
const isOnlyTold = (event: LogEvent) =>
  event.isBare === true && /\p{L}{3,} \p{L}{2,} \p{L}{2,}/u.test(event.raw);

/** Things that administrators do as well say little where no event says who ran them. */
const levelOf = (rule: RuleHead, event: LogEvent) =>
  event.isBare === true && rule.level === 'medium' && rule.falsePositives.length > 0 ? 'low' : rule.level;

/** Attempts of one kind in one text from which they matter though each was stopped. */
const MANY_STOPPED = 10;

/** Lowers findings about stopped attempts and upkeep to a remark, unless there are many of them. */
function lessenStopped<Hit extends { level: Level }>(
  hits: readonly Hit[],
  standing: (hit: Hit) => { key: string; event: LogEvent | undefined },
): Hit[] {
  const counts = new Map<string, number>();
  const stopped = hits.map((hit) => {
    const { key, event } = standing(hit);
    if (event?.standing === undefined) return null;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return key;
  });
  return hits.map((hit, i) => {
    const key = stopped[i] as string | null;
    const isFew = key !== null && (counts.get(key) ?? 0) < MANY_STOPPED;
    return isFew && rank(hit.level) > rank('low') ? { ...hit, level: 'low' } : hit;
  });
}

/** Highest level that a rule gave each event: what a rule explains needs no words beside it. */
function levelsByEvent(matches: readonly Match[]): Map<LogEvent, number> {
  const levels = new Map<LogEvent, number>();
  for (const { level, event } of matches) levels.set(event, Math.max(levels.get(event) ?? -1, rank(level)));
  return levels;
}

interface Match extends RuleMatch {
  rule: RuleHead;
  level: Level;
}

function matchRules(events: readonly LogEvent[], rules: RuleSet): Match[] {
  const matches: Match[] = [];
  const { index } = rules;
  for (const event of events) {
    for (const { rule } of index.match(event))
      matches.push({
        rule,
        event,
        level: levelOf(rule, event),
        names: rule.name === null ? [rule.id] : [rule.id, rule.name],
      });
  }
  // Imported rules are somebody's own word on their product.
  return lessenStopped(matches, ({ rule: { id }, event }) => ({
    key: id,
    event: rules.isBuiltIn(id) ? event : undefined,
  }));
}

function reportRules(matches: readonly Match[], findings: Findings, { rules, table }: Analyzer): void {
  const quiet = new Set<string>();
  for (const correlation of rules.correlations) {
    if (!correlation.generate) for (const name of correlation.rules) quiet.add(name);
    for (const group of correlation.match(matches))
      findings.add({ ...toHit(correlation.rule, table), source: 'correlation', events: group });
  }
  for (const { rule, event, level, names } of matches) {
    if (names.some((name) => quiet.has(name))) continue;
    findings.add({
      ...toHit(rule, table),
      level,
      source: 'sigma',
      events: [event],
    });
  }
}

function toHit(rule: RuleHead, table: AttackTable) {
  const { id, title, level, status, author, description, falsePositives } = rule;
  return {
    ruleId: id,
    title,
    level,
    status,
    author,
    description,
    falsePositives,
    ttps: techniquesOf(rule.tags, table),
  };
}

interface Parts {
  events: readonly LogEvent[];
  ranked: Analysis['findings'];
  indicators: Analysis['indicators'];
  analyzer: Analyzer;
  language: Language;
}

function toAnalysis({ events, ranked, indicators, analyzer, language }: Parts): Analysis {
  const { table, knowledge } = analyzer;
  const { actions, titles } = knowledge.texts;
  const ttps = [...new Set(ranked.flatMap((finding) => finding.ttps))];
  const techniques = ttps.flatMap((id) => table.find(id) ?? []);
  const formats: Record<string, number> = {};
  for (const event of events) formats[event.format] = (formats[event.format] ?? 0) + 1;
  const score = scoreFindings(ranked, indicators, { table, events });
  const findings = ranked.map((finding) => {
    const translation = translate(finding, { language, techniques, titles });
    return translation ? { ...finding, translation } : finding;
  });
  const part = { ...score, findings, techniques, indicators, formats };
  return {
    ...part,
    summary: summarize(part, language, titles),
    language,
    ttps,
    recommendedActions: recommendActions(ranked, indicators, { language, texts: actions }),
    attackVersion: table.version,
  };
}
