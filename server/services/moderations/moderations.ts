/** POST /v1/moderations: svc-shield-base classifies, svc-guard-max analyses logs. */

import type { Settings } from '../../api/console/console.ts';
import {
  type ModerationCategory,
  type ModerationsRequest,
  type ModerationsResult,
  maxModerationBytes,
  maxModerationInputs,
  moderationCategories,
  type SafetyResult,
  type ThreatResult,
} from '../../api/services/moderations.ts';
import type { ClassifyParams, ClassifyResult } from '../../engine/moderation/types.ts';
import type { Analysis, Finding } from '../../engine/threat/types.ts';
import { ApiError } from '../../errors.ts';
import type { Engines } from '../../hosts/engines.ts';
import { type Caller, recordUse } from '../caller.ts';
import { enginesFor, type InferenceDeps, identify, recordServedPack, resolveModel } from '../model-call.ts';
import { type WrittenSummary, writeSummary } from './threat-summary.ts';

const served = ['svc-shield-base', 'svc-guard-max'] as const;
type ModerationRole = (typeof served)[number];

/** At once where the answer is known: a fixture that was made before. */
export type ModerationsService = (
  body: ModerationsRequest,
  caller: Caller,
) => Promise<ModerationsResult> | ModerationsResult;

/** Of a fixture's text that is kept: the same request gets the same answer, so a suite's repeats need not be made again. */
const longestKept = 8192;

export interface ModerationDeps extends InferenceDeps {
  settings: () => Pick<Settings, 'threat_summaries'>;
}

export function createModerations(deps: ModerationDeps): ModerationsService {
  // The latest of each length within each role: comparing two texts costs a tenth of hashing the new one.
  const fixtures = { 'svc-shield-base': new Map<number, Kept>(), 'svc-guard-max': new Map<number, Kept>() };
  return (given, caller) => {
    const role = resolveModel(given.model ?? 'svc-shield-base', served, caller);
    const body = { ...given, model: role };
    const texts = checkBody(body);
    if (texts.length > 1) recordUse(caller, { inputs: texts.length });
    const engines = enginesFor(deps, caller, texts);
    if (engines instanceof Promise) return engines.then((known) => answerBody(body, texts, known, caller));
    const kept = engines === deps.fixtures && isPlain(body) && fixtures[role].get(texts[0]!.length);
    if (!kept || kept.text !== texts[0]) return answerBody(body, texts, engines, caller);
    recordServedPack(engines, role, caller);
    return kept.answer;
  };

  async function answerBody(
    body: Body,
    texts: readonly string[],
    engines: Engines,
    caller: Caller,
  ): Promise<ModerationsResult> {
    const role = body.model;
    const kept = engines === deps.fixtures && isPlain(body) ? fixtures[role] : null;
    const answer = await answerAll(body, texts, { ...deps, engines, caller });
    recordServedPack(engines, role, caller);
    if (!kept) return answer;
    const text = texts[0]!;
    kept.set(text.length, { text, answer: Object.freeze(answer) });
    return answer;
  }
}

interface Kept {
  text: string;
  answer: ModerationsResult;
}

type Body = ModerationsRequest & { model: ModerationRole };
type Asked = ModerationDeps & { caller: Caller };

/** One text after the other: a request of 32 holds the engine no longer than 32 requests in turn would. */
async function answerAll(body: Body, texts: readonly string[], asked: Asked): Promise<ModerationsResult> {
  const { id, created } = identify(asked.caller, body);
  const head = { id: `modr_${id}`, model: body.model, created };
  if (body.model === 'svc-guard-max') {
    const results = [];
    for (const text of texts) results.push(await analyze(text, body, asked));
    return { ...head, results };
  }
  const results = [];
  for (const text of texts) results.push(await classify(text, body, asked));
  return { ...head, results };
}

async function classify(
  text: string,
  body: Body,
  { engines, caller }: Asked,
): Promise<SafetyResult['results'][0]> {
  const { categories, thresholds } = body;
  const params: ClassifyParams = {
    text,
    ...(categories === undefined ? {} : { categories }),
    ...(thresholds === undefined ? {} : { thresholds }),
  };
  const answer = await engines.call('svc-shield-base', 'classify', params, caller);
  return toSafetyResult(answer, categories);
}

async function analyze(
  text: string,
  { language }: Body,
  { engines, fixtures, settings, caller }: Asked,
): Promise<ThreatResult['results'][0]> {
  const analysis = await engines.call(
    'svc-guard-max',
    'analyze',
    { text, ...(language && { language }) },
    caller,
  );
  const byChat = engines !== fixtures && settings().threat_summaries === 'chat';
  return toThreatResult(analysis, byChat ? await writeSummary(analysis, { engines, caller }) : null);
}

/** Nothing but a text of moderate length. */
const isPlain = ({ input, categories, thresholds, language }: ModerationsRequest): boolean =>
  categories === undefined &&
  language === undefined &&
  thresholds === undefined &&
  typeof input === 'string' &&
  input.length <= longestKept;

/** The texts of a body. @throws ApiError input_too_long, too_many_inputs, invalid_value */
function checkBody(body: Body): string[] {
  const texts = typeof body.input === 'string' ? [body.input] : body.input;
  if (texts.length > maxModerationInputs) {
    const message = `input holds ${texts.length} texts; at most ${maxModerationInputs} go into one request.`;
    throw new ApiError('too_many_inputs', message, { param: 'input' });
  }
  for (const [index, text] of texts.entries()) {
    if (Buffer.byteLength(text, 'utf8') <= maxModerationBytes) continue;
    const param = typeof body.input === 'string' ? 'input' : `input[${index}]`;
    throw new ApiError('input_too_long', `${param} is longer than ${maxModerationBytes} bytes of UTF-8.`, {
      param,
    });
  }
  if (body.model === 'svc-shield-base') {
    if (body.language === undefined) return texts;
    throw new ApiError('invalid_value', 'language is for svc-guard-max only.', { param: 'language' });
  }
  for (const field of ['categories', 'thresholds'] as const) {
    if (body[field] === undefined) continue;
    throw new ApiError('invalid_value', `${field} is for svc-shield-base only.`, { param: field });
  }
  return texts;
}

function toSafetyResult(
  answer: ClassifyResult,
  filter: ModerationCategory[] | undefined,
): SafetyResult['results'][0] {
  const wanted = filter ? moderationCategories.filter((name) => filter.includes(name)) : moderationCategories;
  const categories: SafetyResult['results'][0]['categories'] = {};
  const scores: SafetyResult['results'][0]['category_scores'] = {};
  let anyFlagged = false;
  for (const name of wanted) {
    const score = answer.scores[name] ?? 0;
    const flagged = answer.flaggedCategories[name] ?? false;
    categories[name] = { flagged, score };
    scores[name] = score;
    anyFlagged ||= flagged;
  }
  const spans = answer.spans.filter((span) => wanted.includes(span.category));
  return { flagged: anyFlagged, categories, category_scores: scores, spans };
}

function toThreatResult(analysis: Analysis, written: WrittenSummary | null): ThreatResult['results'][0] {
  const { severity, confidence, summary, ttps, techniques, language } = analysis;
  return {
    severity,
    confidence,
    summary: written?.text ?? summary,
    ...(written ? { summary_by: written.pack } : {}),
    indicators: analysis.indicators,
    ttps,
    recommended_actions: analysis.recommendedActions,
    findings: analysis.findings.map(toWireFinding),
    techniques,
    language,
    attack_version: analysis.attackVersion,
  };
}

function toWireFinding(finding: Finding): ThreatResult['results'][0]['findings'][0] {
  const { ruleId, title, level, confidence, ttps, lines, count, source, author, description, decoded } =
    finding;
  const { excerpts, spanMs, subjects, translation } = finding;
  return {
    rule_id: ruleId,
    title,
    level,
    confidence,
    ttps,
    lines: lines.map(({ line, endLine, start, end }) => ({ line, end_line: endLine, start, end })),
    count,
    source,
    author,
    description,
    ...(translation ? { translation } : {}),
    ...(decoded ? { decoded } : {}),
    evidence: {
      excerpts,
      first_seen: spanMs && toIso(spanMs[0]),
      last_seen: spanMs && toIso(spanMs[1]),
      ...subjects,
    },
  };
}

const toIso = (ms: number): string | null => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null);
