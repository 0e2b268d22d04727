/**
 * Thousands of rules, few evaluated: one pass over an event's text says which literals it holds; only rules that could
 * match one of them, and that speak of the event's log source, are evaluated in full.
 */
import type { LogEvent, LogSource } from '../readers/event.ts';
import { LiteralIndex } from './literals/literal-index.ts';
import type { MatchEvent, Node } from './node.ts';
import { toMatchEvent } from './node.ts';
import type { DetectionDocument } from './parse-rule.ts';

export interface CompiledRule {
  rule: DetectionDocument;
  node: Node;
}

/** Longer literals are cut to their last characters: enough to be rare, and the automaton stays small. */
const MAX_LITERAL = 20;

export class RuleIndex {
  readonly #rules: readonly CompiledRule[];
  readonly #literals: LiteralIndex;
  readonly #sourceIds: Int32Array;
  readonly #sources: LogSource[];
  readonly #fits = new Map<string, Uint8Array>();
  readonly #seenAt: Int32Array;
  #round = 0;

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.#literals = new LiteralIndex(
      rules.map(({ node }) => node.literals?.map((literal) => literal.slice(-MAX_LITERAL)) ?? null),
    );
    const sources = new Map<string, number>();
    this.#sourceIds = Int32Array.from(rules, ({ rule }) => {
      const key = JSON.stringify(rule.logsource);
      if (!sources.has(key)) sources.set(key, sources.size);
      return sources.get(key) as number;
    });
    this.#sources = [...sources.keys()].map((key) => JSON.parse(key) as LogSource);
    this.#seenAt = new Int32Array(rules.length);
  }

  /** Rules that match the event. */
  match(event: LogEvent): CompiledRule[] {
    const prepared = toMatchEvent(event);
    const fits = this.#fitting(event.sources);
    const found: CompiledRule[] = [];
    this.#round += 1;
    const evaluate = (id: number) => this.#evaluate(id, { prepared, fits, found });
    this.#literals.search(prepared.lowerText, evaluate);
    // Rules that may match on what is absent say nothing about events of an unknown source.
    if (event.sources.length > 0) this.#literals.always.forEach(evaluate);
    return found;
  }

  #evaluate(id: number, run: { prepared: MatchEvent; fits: Uint8Array; found: CompiledRule[] }): void {
    if (this.#seenAt[id] === this.#round) return;
    this.#seenAt[id] = this.#round;
    if (run.fits[this.#sourceIds[id] as number] === 0) return;
    const rule = this.#rules[id] as CompiledRule;
    if (rule.node.matches(run.prepared)) run.found.push(rule);
  }

  #fitting(sources: readonly LogSource[]): Uint8Array {
    const key = JSON.stringify(sources);
    let fits = this.#fits.get(key);
    if (fits === undefined) {
      fits = Uint8Array.from(this.#sources, (wanted) =>
        sources.length === 0 || sources.some((source) => speaksOf(wanted, source)) ? 1 : 0,
      );
      if (this.#fits.size > 4096) this.#fits.clear();
      this.#fits.set(key, fits);
    }
    return fits;
  }
}

/** Every part the rule names must be the event's. */
function speaksOf(wanted: LogSource, source: LogSource): boolean {
  if (wanted.product !== undefined && wanted.product !== source.product) return false;
  if (wanted.category !== undefined && wanted.category !== source.category) return false;
  return wanted.service === undefined || wanted.service === source.service;
}
