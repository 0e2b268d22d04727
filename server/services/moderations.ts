/** POST /v1/moderations: svc-shield-base classifies, svc-guard-max analyses logs. */

import type { Settings } from '../api/console.ts';
import {
  type ModerationsRequest,
  type ModerationsResult,
  maxModerationBytes,
  moderationCategories,
  type SafetyResult,
  type ThreatResult,
} from '../api/moderations.ts';
import type { ClassifyParams, ClassifyResult } from '../engine/moderation/types.ts';
import type { Analysis, Finding, ThreatAnalyzeParams } from '../engine/threat/types.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from './caller.ts';
import {
  type AnswerIdentity,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from './model-call.ts';
import { type WrittenSummary, writeSummary } from './threat-summary.ts';

export type ModerationsService = (body: ModerationsRequest, caller: Caller) => Promise<ModerationsResult>;

/** Fixtures of the latest test requests: the same request gets the same answer, so a suite's repeats need not be made again. */
const mostFixtures = 256;
const longestKept = 8192;

export interface ModerationDeps extends InferenceDeps {
  settings: () => Pick<Settings, 'threat_summaries'>;
}

export function createModerations(deps: ModerationDeps): ModerationsService {
  // By input within each role: a key made of both would be copied and hashed anew for every request.
  const fixtures = {
    'svc-shield-base': new Map<string, ModerationsResult>(),
    'svc-guard-max': new Map<string, ModerationsResult>(),
  };
  return async (body, caller) => {
    const role = resolveModel(body.model, ['svc-shield-base', 'svc-guard-max'], caller);
    checkBody(body, role);
    const engines = await enginesFor(deps, caller, [body.input]);
    const kept = engines === deps.fixtures && isPlain(body) ? fixtures[role] : null;
    const known = kept?.get(body.input);
    if (known) {
      recordServedPack(engines, role, caller);
      return known;
    }
    const answer =
      role === 'svc-shield-base'
        ? toSafetyResult(
            await engines.call(role, 'classify', toClassifyParams(body), caller),
            body,
            identify(caller, body),
          )
        : await answerThreat(body, { ...deps, engines }, caller);
    recordServedPack(engines, role, caller);
    if (!kept) return answer;
    if (kept.size >= mostFixtures) kept.clear();
    kept.set(body.input, Object.freeze(answer));
    return answer;
  };
}

async function answerThreat(
  body: ModerationsRequest,
  { engines, fixtures, settings }: ModerationDeps,
  caller: Caller,
): Promise<ThreatResult> {
  const analysis = await engines.call('svc-guard-max', 'analyze', toAnalyzeParams(body), caller);
  const byChat = engines !== fixtures && settings().threat_summaries === 'chat';
  const written = byChat ? await writeSummary(analysis, { engines, caller }) : null;
  return toThreatResult(analysis, { ...identify(caller, body), model: body.model, written });
}

/** Nothing but a text of moderate length. */
const isPlain = ({ input, categories, thresholds }: ModerationsRequest): boolean =>
  categories === undefined && thresholds === undefined && input.length <= longestKept;

function checkBody(body: ModerationsRequest, role: string): void {
  if (Buffer.byteLength(body.input, 'utf8') > maxModerationBytes) {
    throw new ApiError('input_too_long', `input is longer than ${maxModerationBytes} bytes of UTF-8.`, {
      param: 'input',
    });
  }
  if (role === 'svc-shield-base') return;
  for (const field of ['categories', 'thresholds'] as const) {
    if (body[field] === undefined) continue;
    throw new ApiError('invalid_value', `${field} is for svc-shield-base only.`, { param: field });
  }
}

const toAnalyzeParams = ({ input }: ModerationsRequest): ThreatAnalyzeParams => ({ text: input });

const toClassifyParams = ({ input, categories, thresholds }: ModerationsRequest): ClassifyParams => ({
  text: input,
  ...(categories === undefined ? {} : { categories }),
  ...(thresholds === undefined ? {} : { thresholds }),
});

function toSafetyResult(
  answer: ClassifyResult,
  body: ModerationsRequest,
  { id, created }: AnswerIdentity,
): SafetyResult {
  const wanted = body.categories
    ? moderationCategories.filter((name) => body.categories?.includes(name))
    : moderationCategories;
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
  const result = { flagged: anyFlagged, categories, category_scores: scores, spans };
  return { id: `modr_${id}`, model: body.model, created, results: [result] };
}

function toThreatResult(
  analysis: Analysis,
  { id, created, model, written }: AnswerIdentity & { model: string; written: WrittenSummary | null },
): ThreatResult {
  const { severity, confidence, summary, ttps, techniques, language } = analysis;
  return {
    id: `modr_${id}`,
    model,
    created,
    results: [
      {
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
      },
    ],
  };
}

function toWireFinding(finding: Finding): ThreatResult['results'][0]['findings'][0] {
  const { ruleId, title, level, confidence, ttps, lines, count, source, author, description } = finding;
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
  };
}
