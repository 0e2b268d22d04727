/** Web attacks in one event's request. Signatures run on RE2, so a hostile request costs no more than its length. */

import { rank } from '../answer/score.ts';
import { type LateRegex, lateRegex } from '../late-regex.ts';
import type { LogEvent } from '../readers/event.ts';
import { LiteralIndex } from '../sigma/literals/literal-index.ts';
import { requiredLiterals } from '../sigma/literals/required-literals.ts';
import type { Level } from '../types.ts';
import { type Doubt, doubts } from './doubts.ts';
import { commandLine } from './protocol/parameters.ts';
import { protocolHits } from './protocol/protocol.ts';
import { onlyDeclares, quotations, staysInside } from './quoted.ts';
import type { RequestPart, WebRequest, WebValue } from './request/web-request.ts';
import { isWebEvent, toRequest } from './request/web-request.ts';
import { type PayloadShape, shapesOf } from './shapes.ts';
import type { WebSignature } from './signature.ts';
import type { WebKnowledge } from './web-knowledge.ts';

export interface WebHit {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
  /** One for each value that bears it out. */
  doubts: Doubt[];
}

interface Compiled {
  signature: WebSignature;
  regex: LateRegex;
}

class SignatureIndex {
  readonly #compiled: Compiled[];
  readonly #literals: LiteralIndex;
  readonly #seenAt: Int32Array;
  #round = 0;

  constructor(signatures: readonly WebSignature[]) {
    const all = signatures.flatMap((signature) =>
      signature.patterns.map((pattern) => ({ signature, pattern })),
    );
    this.#compiled = all.map(({ signature, pattern }) => ({ signature, regex: lateRegex(pattern) }));
    this.#literals = new LiteralIndex(all.map(({ pattern }) => requiredLiterals(pattern)));
    this.#seenAt = new Int32Array(all.length);
  }

  match(value: WebValue): Set<WebSignature> {
    const found = new Set<WebSignature>();
    this.#round += 1;
    const test = (id: number) => this.#test(id, value, found);
    for (const text of new Set([value.plain, value.sql, value.shell, value.lines, value.markup])) {
      this.#literals.search(text, test);
    }
    this.#literals.always.forEach(test);
    return found;
  }

  #test(id: number, value: WebValue, found: Set<WebSignature>): void {
    if (this.#seenAt[id] === this.#round) return;
    this.#seenAt[id] = this.#round;
    const { signature, regex } = this.#compiled[id] as Compiled;
    if (found.has(signature) || !applies(signature, value.place)) return;
    if (regex.test(value[signature.form])) found.add(signature);
  }
}

/** Part headers and whole XML documents are syntax, not values: only signatures that ask for them read them. */
export function applies({ places }: WebSignature, place: RequestPart): boolean {
  if (places === undefined) return place !== 'file' && place !== 'xml';
  return places.includes(place);
}

/** Up to three word characters can hold no attack. */
const PLAIN = /^[\w.@, -]{0,3}$/u;

/** Hits of values already looked at in this text: user agents and paths repeat from line to line. */
export type SeenValues = Map<string, readonly PayloadShape[]>;

/** Finds web attacks by the knowledge of one pack. */
export class WebDetector {
  readonly #knowledge: WebKnowledge;
  readonly #index: SignatureIndex;
  readonly #command: RegExp;

  constructor(knowledge: WebKnowledge) {
    this.#knowledge = knowledge;
    this.#index = new SignatureIndex(knowledge.signatures);
    this.#command = commandLine(knowledge.unixCommands);
  }

  /** `seen` is shared by the events of one text and must not outlive it. */
  detect(event: LogEvent, seen: SeenValues = new Map()): WebHit[] {
    return isWebEvent(event) ? this.#detectRequest(toRequest(event, this.#knowledge.parameters), seen) : [];
  }

  #detectRequest(request: WebRequest, seen: SeenValues): WebHit[] {
    const hits = new Map<string, WebHit>();
    const doubtOf = doubts(request, this.#knowledge);
    for (const value of request.values) {
      for (const { id, title, level, ttps } of this.#valueHits(value, seen)) {
        const known = hits.get(id);
        const all = [...(known?.doubts ?? []), doubtOf({ id, level }, value)];
        if (known === undefined || rank(known.level) < rank(level))
          hits.set(id, { id, title, level, ttps, doubts: all });
        else known.doubts = all;
      }
    }
    for (const { id, title, level, values = [undefined] } of protocolHits(request, {
      command: this.#command,
      knowledge: this.#knowledge,
    }))
      hits.set(id, {
        id,
        title,
        level,
        ttps: ['T1190'],
        doubts: values.map((value) => doubtOf({ id, level }, value)),
      });
    return [...hits.values()];
  }

  #valueHits(value: WebValue, seen: SeenValues): readonly PayloadShape[] {
    if (PLAIN.test(value.plain)) return [];
    const isQuoted = quotations(value, this.#knowledge.parameters);
    const key = `${isQuoted === undefined ? value.place : value.name} ${value.decoded}`;
    let hits = seen.get(key);
    if (hits === undefined) {
      hits = [...shapesOf(value, this.#knowledge), ...this.#index.match(value)];
      if (staysInside(value)) hits = hits.filter(({ id }) => id !== 'web-lfi-traversal');
      if (hits.length > 0 && onlyDeclares(value))
        hits = hits.filter(({ id }) => id !== 'web-nosql-operator' && id !== 'web-php-variable');
      if (isQuoted !== undefined && hits.length > 0 && !this.#knowledge.running?.test(value.decoded))
        hits = hits.map((hit) =>
          isQuoted(hit.id)
            ? { ...hit, title: `${hit.title} (quoted in a search or text)`, level: 'low' }
            : hit,
        );
      seen.set(key, hits);
    }
    return hits;
  }
}
