/** Attacks told by words of a line or a short text, whatever it is: `text-signatures.yml` of the pack. */
import { RE2JS } from 're2js';
import Type from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { expandFragments, packYaml } from '../../pack-data.ts';
import { type LateRegex, lateRegex } from '../late-regex.ts';
import { LiteralIndex } from '../sigma/literals/literal-index.ts';
import { requiredLiterals } from '../sigma/literals/required-literals.ts';
import { LEVELS, type Level } from '../types.ts';

const Text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };

export const TextSignatureFile = Type.Object(
  {
    /** Taken out of a text before it is judged. */
    cut: Type.Array(Text),
    /** A text that meets one of these only speaks of attacks: signatures marked `mention` are silent there. */
    teaching: Type.Array(Text),
    /** Who or what a report is about: prose that meets none of these only speaks of attacks as well. */
    subject: Type.Array(Text),
    /** Kinds of text judged by signs that weigh little alone. */
    weighed: Type.Array(
      Type.Object(
        {
          id: Type.String({ pattern: '^sig-[a-z-]+$' }),
          title: Text,
          level: Type.Enum([...LEVELS]),
          ttps: Type.Array(Text),
          /** The whole text must meet it to be of the kind. */
          kind: Text,
          /** Sum of weights that makes a finding. */
          least: Type.Number(),
          signs: Type.Array(Type.Object({ weight: Type.Number(), pattern: Text }, strict)),
        },
        strict,
      ),
    ),
    fragments: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Text),
    families: Type.Array(
      Type.Object(
        {
          prefix: Type.String({ pattern: '^sig-[a-z]+$' }),
          ttps: Type.Array(Text),
          signatures: Type.Array(
            Type.Object(
              {
                id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
                title: Text,
                level: Type.Enum([...LEVELS]),
                /** Techniques of this one, where they are not the family's. */
                ttps: Type.Optional(Type.Array(Text)),
                /** `line`: one event; `text`: the whole text, where it is short. */
                scope: Type.Optional(Type.Enum(['line', 'text'])),
                /** Words that people use without an attack as well. */
                mention: Type.Optional(Type.Boolean()),
                /** The words around it cannot make it doubtful. */
                sure: Type.Optional(Type.Boolean()),
                patterns: Type.Array(Text, { minItems: 1 }),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
    ),
  },
  strict,
);

export interface TextSignature {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
  scope: 'line' | 'text';
  mention: boolean;
  sure: boolean;
}

/** A kind of text and the signs that make it an attack together. */
export interface Weighed {
  id: string;
  title: string;
  level: Level;
  ttps: string[];
  kind: RE2JS;
  least: number;
  signs: { weight: number; regex: LateRegex }[];
}

interface Compiled {
  signature: TextSignature;
  regex: LateRegex;
}

/** Words in a row, and a full stop behind a word: no command and no log has both. */
const WORDS = /\p{L}{2,30} \p{L}{1,30} \p{L}{2,30} \p{L}/u;
const STOP = /[\p{L})"][.!?](?:\s|$)/u;

const compile = (pattern: string) => RE2JS.compile(pattern, RE2JS.DOTALL);

export class TextSignatures {
  readonly #compiled: Compiled[];
  readonly #literals: LiteralIndex;
  readonly #cut: RE2JS[];
  readonly #teaching: RE2JS[];
  readonly #subject: RE2JS[];
  readonly #weighed: Weighed[];

  constructor(
    rows: readonly (TextSignature & { patterns: string[] })[],
    {
      cut,
      teaching,
      subject,
      weighed,
    }: {
      cut: readonly string[];
      teaching: readonly string[];
      subject: readonly string[];
      weighed: readonly Weighed[];
    },
  ) {
    this.#cut = cut.map(compile);
    this.#teaching = teaching.map(compile);
    this.#subject = subject.map(compile);
    this.#weighed = [...weighed];
    this.#compiled = rows.flatMap(({ patterns, ...signature }) =>
      patterns.map((pattern) => ({ signature, regex: lateRegex(pattern) })),
    );
    this.#literals = new LiteralIndex(rows.flatMap(({ patterns }) => patterns.map(requiredLiterals)));
  }

  /** Signatures of a scope that one of the forms of a text meets; forms may hold capitals. */
  match(
    forms: readonly string[],
    { scope, teaches }: { scope: TextSignature['scope']; teaches: () => boolean },
  ): Set<TextSignature> {
    const found = new Set<TextSignature>();
    for (const form of forms) {
      const text = form.toLowerCase();
      const met = this.#meet(text, scope);
      if (met.length === 0) continue;
      // Ordinary passages are taken out only after something was found: they are seldom there.
      const left = this.without(text);
      for (const { signature, regex } of met)
        if (!found.has(signature) && (left === text || regex.test(left))) found.add(signature);
    }
    if ([...found].some(({ mention }) => mention) && teaches())
      for (const signature of found) if (signature.mention) found.delete(signature);
    return found;
  }

  #meet(text: string, scope: TextSignature['scope']): Compiled[] {
    const ids = new Set(this.#literals.always);
    this.#literals.search(text, (id) => ids.add(id));
    return [...ids]
      .map((id) => this.#compiled[id] as Compiled)
      .filter(({ signature, regex }) => signature.scope === scope && regex.test(text));
  }

  /** Kinds of text whose signs together weigh enough; `text` is the whole of it. */
  weigh(text: string): Weighed[] {
    const lower = text.toLowerCase();
    return this.#weighed.filter(({ kind, least, signs }) => {
      if (!kind.test(lower)) return false;
      return signs.reduce((sum, { weight, regex }) => (regex.test(lower) ? sum + weight : sum), 0) >= least;
    });
  }

  /** A lower-cased text without the passages that many people run. */
  without(text: string): string {
    return this.#cut.reduce((rest, regex) => regex.matcher(rest).replaceAll(' '), text);
  }

  /** True for a text that only speaks of attacks, as lessons and newsletters do. */
  teaches(text: string): boolean {
    const lower = text.toLowerCase();
    return this.#teaching.some((regex) => regex.test(lower));
  }

  /** True for sentences that name neither a thing nor a person. */
  isAboutNothing(text: string): boolean {
    const lower = text.toLowerCase();
    return WORDS.test(lower) && STOP.test(lower) && !this.#subject.some((regex) => regex.test(lower));
  }

  /** Expressions that run on every text, having no literal to wait for. */
  get open(): number {
    return this.#literals.always.length;
  }
}

/** @throws EngineError internal_error when the pack has no such file or it is not as its schema asks */
export async function loadTextSignatures(
  pack: Pick<EnginePack, 'folder' | 'starter'>,
): Promise<TextSignatures> {
  const { fragments, families, cut, teaching, subject, weighed } = await packYaml(
    pack,
    'text-signatures.yml',
    TextSignatureFile,
  );
  const expand = (pattern: string) => expandFragments(pattern, fragments);
  return new TextSignatures(
    families.flatMap(({ prefix, ttps, signatures }) =>
      signatures.map((row) => ({
        id: `${prefix}-${row.id}`,
        title: row.title,
        level: row.level,
        ttps: row.ttps ?? ttps,
        scope: row.scope ?? 'line',
        patterns: row.patterns.map(expand),
        mention: row.mention ?? false,
        sure: row.sure ?? false,
      })),
    ),
    {
      cut: cut.map(expand),
      teaching: teaching.map(expand),
      subject: subject.map(expand),
      weighed: weighed.map(({ kind, signs, ...head }) => ({
        ...head,
        kind: compile(expand(kind)),
        signs: signs.map(({ weight, pattern }) => ({ weight, regex: lateRegex(expand(pattern)) })),
      })),
    },
  );
}
