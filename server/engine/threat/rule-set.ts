/** The rules in force: built-in ones from the pack and imported ones, each on or off, compiled once. */

import type { CompiledCorrelation } from './sigma/correlation.ts';
import { compileCorrelation } from './sigma/correlation.ts';
import { compileDetection } from './sigma/detection.ts';
import type { CompileOptions } from './sigma/item.ts';
import type { Node } from './sigma/node.ts';
import { allOf } from './sigma/node.ts';
import type { DetectionDocument, FilterDocument, RuleDocument } from './sigma/parse-rule.ts';
import { parseRules } from './sigma/parse-rule.ts';
import type { CompiledRule } from './sigma/rule-index.ts';
import { RuleIndex } from './sigma/rule-index.ts';
import { SigmaError } from './sigma/sigma-error.ts';

export interface RuleFile {
  name: string;
  text: string;
}

export interface RuleInfo {
  id: string;
  title: string;
  level: string;
  status: string;
  tags: string[];
  author: string | null;
  kind: RuleDocument['kind'];
  file: string;
  origin: 'built-in' | 'imported';
  enabled: boolean;
}

export interface ImportResult {
  imported: number;
  errors: { file: string; message: string }[];
}

interface Entry {
  info: RuleInfo;
  document: RuleDocument;
  /** Compiled detection; absent for correlations and filters, which depend on other rules. */
  node?: Node;
}

export class RuleSet {
  readonly #entries = new Map<string, Entry>();
  readonly #options: CompileOptions;
  #index: RuleIndex | null = null;
  #correlations: CompiledCorrelation[] = [];

  constructor(options: CompileOptions = { placeholders: {} }) {
    this.#options = options;
  }

  /** Adds files of rules. A file with an error adds nothing and is named; an id seen before is replaced. */
  add(files: readonly RuleFile[], origin: RuleInfo['origin']): ImportResult {
    const result: ImportResult = { imported: 0, errors: [] };
    for (const file of files) {
      try {
        const entries = parseRules(file.text).map((document) => this.#entry(document, file.name, origin));
        for (const entry of entries) this.#entries.set(entry.info.id, entry);
        result.imported += entries.length;
      } catch (error) {
        if (!(error instanceof SigmaError)) throw error;
        result.errors.push({ file: file.name, message: error.message });
      }
    }
    this.#index = null;
    return result;
  }

  #entry(document: RuleDocument, file: string, origin: RuleInfo['origin']): Entry {
    const { id, title, level, status, tags, author, kind } = document;
    const enabled = this.#entries.get(id)?.info.enabled ?? true;
    const info: RuleInfo = { id, title, level, status, tags, author, kind, file, origin, enabled };
    if (kind === 'detection')
      return { info, document, node: compileDetection(document.detection, this.#options) };
    if (kind === 'correlation') compileCorrelation(document);
    else compileDetection(document.filter, this.#options);
    return { info, document };
  }

  setEnabled(ids: readonly string[], enabled: boolean): number {
    let changed = 0;
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined && entry.info.enabled !== enabled) {
        entry.info.enabled = enabled;
        changed += 1;
      }
    }
    if (changed > 0) this.#index = null;
    return changed;
  }

  removeImported(): number {
    const ids = [...this.#entries.values()]
      .filter(({ info }) => info.origin === 'imported')
      .map(({ info }) => info.id);
    for (const id of ids) this.#entries.delete(id);
    this.#index = null;
    return ids.length;
  }

  list(): RuleInfo[] {
    return [...this.#entries.values()].map(({ info }) => ({ ...info }));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Compiles what changed since the last call. */
  get index(): RuleIndex {
    this.#index ??= this.#compile();
    return this.#index;
  }

  get correlations(): readonly CompiledCorrelation[] {
    if (this.#index === null) this.#index = this.#compile();
    return this.#correlations;
  }

  #compile(): RuleIndex {
    const active = [...this.#entries.values()].filter(({ info }) => info.enabled);
    const filters = active.flatMap(({ document }) => (document.kind === 'filter' ? [document] : []));
    const rules: CompiledRule[] = [];
    for (const { document, node } of active) {
      if (document.kind === 'detection' && node !== undefined)
        rules.push({ rule: document, node: this.#filtered(document, node, filters) });
    }
    this.#correlations = active.flatMap(({ document }) =>
      document.kind === 'correlation' ? [compileCorrelation(document)] : [],
    );
    return new RuleIndex(rules);
  }

  /** Sigma filters narrow the rules they name, by id, name or all of their log source. */
  #filtered(rule: DetectionDocument, node: Node, filters: readonly FilterDocument[]): Node {
    const fitting = filters.filter((filter) => appliesTo(filter, rule));
    if (fitting.length === 0) return node;
    return allOf([node, ...fitting.map((filter) => compileDetection(filter.filter, this.#options))]);
  }
}

function appliesTo(filter: FilterDocument, rule: DetectionDocument): boolean {
  for (const part of ['product', 'category', 'service'] as const) {
    if (filter.logsource[part] !== undefined && filter.logsource[part] !== rule.logsource[part]) return false;
  }
  const { rules } = filter.filter;
  if (rules === undefined || rules === 'any') return true;
  return (Array.isArray(rules) ? rules : [rules]).some(
    (name) => name === rule.id || (rule.name !== null && name === rule.name),
  );
}
