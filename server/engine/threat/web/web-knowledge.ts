/** Signatures of web attacks and the words of SQL: what `web-signatures.yml` of the pack says. */
import Type, { type Static } from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { expandFragments, packYaml } from '../../pack-data.ts';
import { LEVELS } from '../types.ts';
import { requestParts } from './request/web-request.ts';
import type { WebSignature } from './signature.ts';
import { type SqlWords, toSqlWords } from './sql/sql-words.ts';

const Text = Type.String({ minLength: 1 });
const Parts = Type.Optional(Type.Array(Type.Enum([...requestParts]), { minItems: 1 }));

export const WebSignatureFile = Type.Object(
  {
    fragments: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Text),
    families: Type.Array(
      Type.Object(
        {
          prefix: Type.String({ pattern: '^web-[a-z]+$' }),
          ttps: Type.Array(Text),
          form: Type.Enum(['plain', 'sql', 'shell', 'lines', 'markup']),
          places: Parts,
          signatures: Type.Array(
            Type.Object(
              {
                id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
                title: Text,
                level: Type.Enum([...LEVELS]),
                places: Parts,
                patterns: Type.Array(Text, { minItems: 1 }),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    /** Names of hosts that none outside can reach, with or without a port. */
    inner_hosts: Type.Optional(Text),
    /** Alternatives: what an interpreter runs inside any text. */
    running: Type.Optional(Type.Array(Text, { minItems: 1 })),
    sql: Type.Object(
      {
        kinds: Type.Record(Type.String({ minLength: 1, maxLength: 1 }), Text),
        statements: Type.Record(Text, Text),
        definite: Text,
        dangerous_functions: Text,
        functions: Text,
        known_tables: Text,
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export interface WebKnowledge {
  signatures: WebSignature[];
  sql: SqlWords;
  /** Alternatives of a regular expression: commands of Unix. */
  unixCommands: string;
  innerHosts?: RegExp;
  /** Runs inside any text, so that no words around it make it a quotation. */
  running?: RegExp;
}

/** @throws EngineError internal_error when the pack has no such file or it is not as its schema asks */
export async function loadWebKnowledge(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<WebKnowledge> {
  const file = await packYaml(pack, 'web-signatures.yml', WebSignatureFile);
  const { fragments, families, sql, inner_hosts, running } = file;
  const expand = (pattern: string) => expandFragments(pattern, fragments);
  return {
    signatures: families.flatMap((family) => toSignatures(family, expand)),
    sql: toSqlWords(sql, expand),
    unixCommands: fragments.unix ? expand(fragments.unix) : '',
    ...(inner_hosts && { innerHosts: new RegExp(inner_hosts, 'iu') }),
    ...(running && { running: new RegExp(running.join('|'), 'iu') }),
  };
}

function toSignatures(
  { prefix, signatures, places, ...shared }: Static<typeof WebSignatureFile>['families'][number],
  expand: (pattern: string) => string,
): WebSignature[] {
  return signatures.map((row) => {
    const where = row.places ?? places;
    return {
      ...shared,
      id: `${prefix}-${row.id}`,
      title: row.title,
      level: row.level,
      patterns: row.patterns.map(expand),
      ...(where && { places: where }),
    };
  });
}
