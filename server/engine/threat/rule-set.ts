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
import type { ImportResult, RuleFile, RuleInfo } from './types.ts';

/** A rule as lists show it, on or off. */
interface Entry {
  info: Omit<RuleInfo, 'enabled'>;
  document: RuleDocument;
  /** Compiled detection; absent for correlations and filters, which depend on other rules. */
  node?: Node;
}

export class RuleSet {
  /** Imported rules stand before built-in ones of the same id, which are back when the import goes. */
  readonly #rules = { 'built-in': new Map<string, Entry>(), imported: new Map<string, Entry>() };
  /** Ids by imported file: a file that comes again stands for itself alone. */
  readonly #files = new Map<string, string[]>();
  /** A switch outlives its rule, so that rules that come again stay off. */
  readonly #disabled = new Set<string>();
  readonly #options: CompileOptions;
  #index: RuleIndex | null = null;
  #correlations: CompiledCorrelation[] = [];

  constructor(options: CompileOptions = { placeholders: {} }) {
    this.#options = options;
  }

  /** Adds files of rules. A file with an error adds nothing and is named; an id or file seen before is replaced. */
  add(files: readonly RuleFile[], origin: RuleInfo['origin']): ImportResult {
    const result: ImportResult = { imported: 0, errors: [] };
    for (const file of files) {
      try {
        const entries = parseRules(file.text).map((document) => this.#entry(document, file.name, origin));
        if (origin === 'imported') this.#renewFile(file.name, entries);
        for (const entry of entries) this.#rules[origin].set(entry.info.id, entry);
        result.imported += entries.length;
      } catch (error) {
        if (!(error instanceof SigmaError)) throw error;
        result.errors.push({ file: file.name, message: error.message });
      }
    }
    this.#index = null;
    return result;
  }

  #renewFile(name: string, entries: Entry[]): void {
    const { imported } = this.#rules;
    for (const id of this.#files.get(name) ?? []) {
      if (imported.get(id)?.info.file === name) imported.delete(id);
    }
    this.#files.set(
      name,
      entries.map(({ info }) => info.id),
    );
  }

  #entry(document: RuleDocument, file: string, origin: RuleInfo['origin']): Entry {
    const { id, title, level, status, tags, author, kind } = document;
    const info: Entry['info'] = { id, title, level, status, tags, author, kind, file, origin };
    if (kind === 'detection')
      return {
        info,
        document,
        node: compileDetection(document.detection, { ...this.#options, isTrusted: origin === 'built-in' }),
      };
    if (kind === 'correlation') compileCorrelation(document);
    else compileDetection(document.filter, this.#options);
    return { info, document };
  }

  setEnabled(ids: readonly string[], enabled: boolean): void {
    for (const id of ids) {
      if (enabled) this.#disabled.delete(id);
      else this.#disabled.add(id);
    }
    if (ids.length > 0) this.#index = null;
  }

  get disabled(): string[] {
    return [...this.#disabled];
  }

  removeImported(): void {
    this.#rules.imported.clear();
    this.#files.clear();
    this.#index = null;
  }

  /** Rules in force and those switched off. */
  #entries(): Entry[] {
    return [...new Map([...this.#rules['built-in'], ...this.#rules.imported]).values()];
  }

  list(): RuleInfo[] {
    return this.#entries().map(({ info }) => ({ ...info, enabled: !this.#disabled.has(info.id) }));
  }

  /** False for a rule that somebody imported in place of ours as well. */
  isBuiltIn(id: string): boolean {
    return !this.#rules.imported.has(id);
  }

  get size(): number {
    return this.#entries().length;
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
    const active = this.#entries().filter(({ info }) => !this.#disabled.has(info.id));
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
