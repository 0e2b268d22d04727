/** Many expressions behind one automaton of the literals they cannot match without: few run on a text. */
import { AhoCorasick } from './aho-corasick.ts';

export class LiteralIndex {
  readonly #automaton: AhoCorasick;
  readonly #idsOf: readonly number[][];
  /** Ids without a certain literal: due on every text. */
  readonly always: readonly number[];

  /** @param needs by id: literals of which a text must hold one, lower case; null where none is certain */
  constructor(needs: readonly (readonly string[] | null)[]) {
    const ids = new Map<string, number[]>();
    for (const [id, literals] of needs.entries())
      for (const literal of literals ?? []) {
        const held = ids.get(literal);
        if (held) held.push(id);
        else ids.set(literal, [id]);
      }
    this.#automaton = new AhoCorasick([...ids.keys()]);
    this.#idsOf = [...ids.values()];
    this.always = needs.flatMap((literals, id) => (literals === null ? [id] : []));
  }

  /** Calls `visit` with the id of each expression that a literal of the text belongs to, maybe more than once. */
  search(text: string, visit: (id: number) => void): void {
    this.#automaton.search(text, (literal) => (this.#idsOf[literal] as number[]).forEach(visit));
  }
}
