/** Answers of another Lokal's API as those of engines: the reverse of what its services write. */
import type { DocumentField, DocumentsResult } from '../../api/services/documents.ts';
import type { ImagesResult } from '../../api/services/images.ts';
import type { SafetyResult, ThreatResult } from '../../api/services/moderations.ts';
import type { FieldEntry, ParseResult } from '../../engine/documents/types.ts';
import type { AnalyzeResult } from '../../engine/images/types.ts';
import type { ClassifyResult } from '../../engine/moderation/types.ts';
import type { Analysis } from '../../engine/threat/types.ts';
import { EngineFault } from '../fault.ts';

/** Runs a reader over an answer whose shape is not known to be true. @throws EngineFault */
export function fromLokal<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    throw new EngineFault('invalid', 'its answer has not the shape that it should');
  }
}

export const toAnalyzeResult = ({ results, warnings = [], usage }: ImagesResult): AnalyzeResult => ({
  results: results.map(({ timestamp_ms: timestampMs, ...result }) => ({
    ...(result as AnalyzeResult['results'][0]),
    ...(timestampMs === undefined || timestampMs === null ? {} : { timestampMs }),
  })),
  warnings,
  images: usage.images,
  frames: usage.frames_sampled,
});

export function toClassifyResult({ results }: SafetyResult): ClassifyResult {
  const { flagged, categories, category_scores: scores, spans } = only(results);
  const flags = Object.entries(categories).map(([name, each]) => [name, each?.flagged === true]);
  return {
    flagged,
    scores,
    flaggedCategories: Object.fromEntries(flags),
    spans: spans as ClassifyResult['spans'],
  };
}

/** A Lokal that tells no evidence names nobody. */
export function toAnalysis({ results }: ThreatResult): Analysis {
  const { recommended_actions, attack_version, findings, summary_by: _, ...rest } = only(results);
  const nobody = { hosts: [], users: [], processes: [], addresses: [], files: [] };
  return {
    ...(rest as unknown as Analysis),
    recommendedActions: recommended_actions,
    attackVersion: attack_version,
    findings: findings.map(({ rule_id: ruleId, lines, evidence, ...finding }) => ({
      ...(finding as unknown as Analysis['findings'][0]),
      ...toEvidence(evidence, nobody),
      ruleId,
      lines: lines.map(({ end_line: endLine, ...line }) => ({ ...line, endLine })),
      falsePositives: [],
    })),
    formats: {},
  };
}

type WireEvidence = ThreatResult['results'][0]['findings'][0]['evidence'];

function toEvidence(
  evidence: WireEvidence,
  nobody: Finding['subjects'],
): Pick<Finding, 'excerpts' | 'spanMs' | 'subjects'> {
  if (!evidence) return { excerpts: [], spanMs: null, subjects: nobody };
  const { excerpts, first_seen: first, last_seen: last, ...subjects } = evidence;
  const spanMs: Finding['spanMs'] = first && last ? [Date.parse(first), Date.parse(last)] : null;
  return { excerpts, spanMs, subjects };
}

type Finding = Analysis['findings'][0];

function only<T>(results: readonly T[]): T {
  const [result] = results;
  if (!result || results.length !== 1)
    throw new EngineFault('invalid', 'it answered another number of texts');
  return result;
}

export function toParseResult(answer: DocumentsResult): ParseResult {
  const { id: _, model: __, created: ___, usage, fields, tables, signatures, ...rest } = answer;
  return {
    ...(rest as unknown as ParseResult),
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toEntry(field)])),
    tables: tables.map((table) => ({
      ...(table as unknown as ParseResult['tables'][0]),
      cells: table.cells.map(({ row_span: rowSpan, col_span: colSpan, bbox, ...cell }) => ({
        ...cell,
        rowSpan,
        colSpan,
        bbox: bbox as ParseResult['tables'][0]['bbox'],
      })),
    })),
    signatures: signatures.map(({ signed_at: signedAt, ...signature }) => ({
      ...(signature as unknown as ParseResult['signatures'][0]),
      ...(signedAt === undefined ? {} : { signedAt }),
    })),
    pages: usage.pages,
  };
}

const toEntry = ({ mrz_valid: mrzValid, filled_by: filledBy, ...field }: DocumentField): FieldEntry => ({
  ...(field as unknown as FieldEntry),
  ...(mrzValid === undefined ? {} : { mrzValid: mrzValid as boolean }),
  ...(filledBy === undefined ? {} : { filledBy: filledBy as string }),
});
