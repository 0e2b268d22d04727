/** YAML text → Sigma documents. Text from outside: size, depth and aliases are limited before anything is built from it. */
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import type { LogSource } from '../readers/event.ts';
import type { Level } from '../types.ts';
import { LEVELS } from '../types.ts';
import { SigmaError } from './sigma-error.ts';

const MAX_FILE = 512 * 1024;
const MAX_DOCUMENTS = 200;
const MAX_NODES = 20_000;
const MAX_DEPTH = 100;
const MAX_ALIASES = 50;

export interface RuleHead {
  id: string;
  name: string | null;
  title: string;
  level: Level;
  status: string;
  description: string | null;
  author: string | null;
  tags: string[];
  falsePositives: string[];
  references: string[];
}

export interface DetectionDocument extends RuleHead {
  kind: 'detection';
  logsource: LogSource;
  detection: unknown;
}

export interface CorrelationDocument extends RuleHead {
  kind: 'correlation';
  correlation: Record<string, unknown>;
}

export interface FilterDocument extends RuleHead {
  kind: 'filter';
  logsource: LogSource;
  filter: Record<string, unknown>;
}

export type RuleDocument = DetectionDocument | CorrelationDocument | FilterDocument;

type Json = Record<string, unknown>;
const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
const list = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string')
    : typeof value === 'string'
      ? [value]
      : [];

function parseYaml(source: string): Json[] {
  if (source.length > MAX_FILE) throw new SigmaError('the file is larger than 512 KiB');
  const documents = loadDocuments(source);
  if (documents.length > MAX_DOCUMENTS) throw new SigmaError('the file holds more than 200 documents');
  return documents.flatMap((value) => {
    if (value === null || value === undefined) return [];
    if (!isMap(value)) throw new SigmaError('a document is not a map');
    countNodes(value);
    return [value];
  });
}

/** Aliases are refused past a handful, and what they repeat is counted: a "billion laughs" file is an attack, not a rule. */
function loadDocuments(source: string): unknown[] {
  try {
    return loadAll(source, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new SigmaError(`not valid YAML: ${error.reason} at line ${(error.mark?.line ?? 0) + 1}`);
  }
}

function countNodes(value: unknown): void {
  const stack: unknown[] = [value];
  let seen = 0;
  while (stack.length > 0) {
    const item = stack.pop();
    seen += 1;
    if (seen > MAX_NODES) throw new SigmaError('the document is too large');
    if (Array.isArray(item)) for (const inner of item) stack.push(inner);
    else if (isMap(item)) for (const inner of Object.values(item)) stack.push(inner);
  }
}

/**
 * All documents of a file; `action: global` (Sigma 1) is merged into the ones after it.
 * @throws SigmaError when the file is no YAML, over its limits, or holds no whole rule
 */
export function parseRules(source: string): RuleDocument[] {
  let base: Json = {};
  const found: RuleDocument[] = [];
  for (const value of parseYaml(source)) {
    if (value.action === 'global') {
      base = { ...value };
      delete base.action;
    } else if (value.action === 'reset') base = {};
    else found.push(toDocument({ ...base, ...value, ...mergedDetection(base, value) }));
  }
  if (found.length === 0) throw new SigmaError('the file holds no rule');
  return found;
}

function mergedDetection(base: Json, value: Json): Json {
  return isMap(base.detection) && isMap(value.detection)
    ? { detection: { ...base.detection, ...value.detection } }
    : {};
}

function toDocument(value: Json): RuleDocument {
  const head = toHead(value);
  if (isMap(value.correlation)) return { ...head, kind: 'correlation', correlation: value.correlation };
  if (!isMap(value.logsource)) throw new SigmaError('the rule has no logsource');
  const logsource: LogSource = {};
  for (const part of ['product', 'category', 'service'] as const) {
    const given = text(value.logsource[part]);
    if (given !== null) logsource[part] = given.toLowerCase();
  }
  if (isMap(value.filter)) return { ...head, kind: 'filter', logsource, filter: value.filter };
  if (!isMap(value.detection)) throw new SigmaError('the rule has no detection');
  return { ...head, kind: 'detection', logsource, detection: value.detection };
}

function toHead(value: Json): RuleHead {
  const title = text(value.title);
  if (title === null) throw new SigmaError('the rule has no title');
  const level = text(value.level)?.toLowerCase() ?? 'medium';
  if (!LEVELS.includes(level as Level)) throw new SigmaError(`unknown level "${level.slice(0, 40)}"`);
  const author = Array.isArray(value.author) ? value.author.join(', ') : text(value.author);
  return {
    id: text(value.id) ?? title.toLowerCase().replace(/[^a-z0-9]+/gu, '-'),
    name: text(value.name),
    title: title.slice(0, 300),
    level: level as Level,
    status: text(value.status) ?? 'experimental',
    description: text(value.description),
    author,
    tags: list(value.tags),
    falsePositives: list(value.falsepositives),
    references: list(value.references),
  };
}
