/** Standing of an event: its product says by names and values of fields that it was stopped, or that it is upkeep. */
import Type, { type Static } from 'typebox';
import type { LogEvent } from './event.ts';
import { firstField } from './event.ts';

const Text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };

/** Expressions without regard to case; field names are lower case, their last part is asked. */
export const StandingTables = Type.Object(
  {
    /** Fields of what was done about it, values that say it was stopped and values that say it was not. */
    deed: Type.Object({ fields: Text, stopped: Text, passed: Text }, strict),
    /** Fields of how it ended, as above. */
    end: Type.Object({ fields: Text, stopped: Text, passed: Text }, strict),
    /** Fields that count attempts, and the count from which they matter though they failed. */
    counts: Type.Object({ fields: Text, many: Type.Integer({ minimum: 1 }) }, strict),
    /** Who acts by itself: fields and names. */
    provider: Type.Object({ fields: Text, names: Text }, strict),
    /** The order behind a change: fields, how orders are named, words that say there is none. */
    ordered: Type.Object({ fields: Text, names: Text, without: Text }, strict),
    /** Fields that name the event, names of upkeep, fields that must then be empty or 0. */
    routine: Type.Object({ fields: Text, names: Text, found: Text }, strict),
  },
  strict,
);

const expression = (pattern: string) => new RegExp(pattern, 'iu');
const lastPart = (name: string) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
/** `ScanCompleted`, `scan_completed` → `scan completed`. */
const toWords = (value: string) =>
  value
    .replace(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const MAX_VALUE = 80;
/** A line without fields of its own still holds pairs. */
const PAIR = /\b([a-z][\w.-]{1,40})=(?:"([^"]{0,80})"|([^\s,;"]{1,80}))/giu;

interface Judge {
  fields: RegExp;
  stopped: RegExp;
  passed: RegExp;
}

export class Standing {
  readonly #judges: Judge[];
  readonly #counts: { fields: RegExp; many: number };
  readonly #provider: { fields: RegExp; names: RegExp };
  readonly #ordered: { fields: RegExp; names: RegExp; without: RegExp };
  readonly #routine: { fields: RegExp; names: RegExp; found: RegExp };

  constructor({ deed, end, counts, provider, ordered, routine }: Static<typeof StandingTables>) {
    this.#judges = [deed, end].map(({ fields, stopped, passed }) => ({
      fields: expression(fields),
      stopped: expression(stopped),
      passed: expression(passed),
    }));
    this.#counts = { fields: expression(counts.fields), many: counts.many };
    this.#provider = { fields: expression(provider.fields), names: expression(provider.names) };
    this.#ordered = {
      fields: expression(ordered.fields),
      names: expression(ordered.names),
      without: expression(ordered.without),
    };
    this.#routine = {
      fields: expression(routine.fields),
      names: expression(routine.names),
      found: expression(routine.found),
    };
  }

  /** Undefined where nothing says so: the event is taken for what its words say. */
  of(event: LogEvent): LogEvent['standing'] {
    if (event.fields.has('c-uri')) return undefined;
    let isStopped = false;
    let isPassed = false;
    let isRoutine = false;
    let hasFound = false;
    for (const [name, value] of pairs(event)) {
      for (const { fields, stopped, passed } of this.#judges) {
        if (!fields.test(name)) continue;
        if (stopped.test(value)) isStopped = true;
        else if (passed.test(value)) isPassed = true;
      }
      if (this.#counts.fields.test(name) && Number(value) >= this.#counts.many) return undefined;
      if (this.#routine.fields.test(name) && this.#routine.names.test(toWords(value))) isRoutine = true;
      if (this.#provider.fields.test(name) && this.#provider.names.test(value)) isRoutine = true;
      if (this.#isOrder(name, value)) isRoutine = true;
      if (this.#routine.found.test(name) && !/^(?:0|none|no|false|)$/iu.test(value)) hasFound = true;
    }
    if (isRoutine && !hasFound && !isPassed) return 'routine';
    return isStopped && !isPassed ? 'stopped' : undefined;
  }

  #isOrder(name: string, value: string): boolean {
    const { fields, names, without } = this.#ordered;
    return fields.test(name) && names.test(value) && !without.test(value);
  }
}

function* pairs(event: LogEvent): Iterable<[name: string, value: string]> {
  if (firstField(event, 'auditdetail') === undefined && event.raw.length <= 4096)
    for (const [, name = '', quoted, bare] of event.raw.matchAll(PAIR))
      yield [lastPart(name.toLowerCase()), quoted ?? bare ?? ''];
  for (const [name, values] of event.fields)
    for (const value of values) if (value.length <= MAX_VALUE) yield [lastPart(name), value];
}
