/** Words of the SQL dialects by their meaning, each as one letter of a token string (see tokens.ts). */

export interface SqlWords {
  /** Letter of a word. */
  kinds: ReadonlyMap<string, string>;
  /** Beginnings of statements, by first word: what must follow for the word to begin one. */
  statements: ReadonlyMap<string, RegExp>;
  /** Of these, what cannot be prose. */
  definite: RegExp;
  /** Functions that only an attack calls from a parameter: of time, files, errors and other servers. */
  dangerous: RegExp;
  /** Functions that are no everyday words. */
  functions: RegExp;
  /** Tables that stand in attacks and hardly in prose. */
  tables: RegExp;
}

export interface SqlWordRows {
  /** Words by letter, with blanks between them. */
  kinds: Record<string, string>;
  statements: Record<string, string>;
  definite: string;
  dangerous_functions: string;
  functions: string;
  known_tables: string;
}

export function toSqlWords(rows: SqlWordRows, expand: (pattern: string) => string): SqlWords {
  const regex = (pattern: string) => new RegExp(expand(pattern), 'u');
  return {
    kinds: new Map(
      Object.entries(rows.kinds).flatMap(([kind, words]) =>
        words.split(' ').map((word): [string, string] => [word, kind]),
      ),
    ),
    statements: new Map(
      Object.entries(rows.statements).map(([word, pattern]) => [word, regex(`^(?:${pattern})`)]),
    ),
    definite: regex(rows.definite),
    dangerous: regex(rows.dangerous_functions),
    functions: regex(rows.functions),
    tables: regex(rows.known_tables),
  };
}
