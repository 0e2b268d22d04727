/** Signatures of web attacks and the words of SQL: what `web-signatures.yml` of the pack says. */
import Type, { type Static } from 'typebox';
import type { EnginePack } from '../../engine.ts';
import { expandFragments, packYaml } from '../../pack-data.ts';
import { LEVELS, type Level } from '../types.ts';
import { PARAMETERS, type ParameterNames } from './parameter-names.ts';
import { requestParts } from './request/web-request.ts';
import type { WebSignature } from './signature.ts';
import { type SqlWords, toSqlWords } from './sql/sql-words.ts';

const Text = Type.String({ minLength: 1 });
/** Of a finding. */
const told = {
  id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
  title: Text,
  level: Type.Enum([...LEVELS]),
};
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
                ...told,
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
    /** Names of headers by which a client shows who it is. */
    credentials: Type.Optional(Text),
    /** Changes sent to a path with a field that no honest client sends there. */
    forged: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...told,
            path: Text,
            fields: Type.Array(Text, { minItems: 1 }),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    /** Names of parameters by what they are for. */
    parameters: Type.Optional(Type.Record(Type.Enum([...PARAMETERS]), Text)),
    /** Names of parameters that say where a client is led to. */
    redirects: Type.Optional(Text),
    /** Paths by which a password is set anew. */
    resets: Type.Optional(Text),
    /** Names of fields from which a server takes a token. */
    token_fields: Type.Optional(Text),
    /** Paths of scripts, which run whatever is written behind their name. */
    interpreted: Type.Optional(Text),
    /** Addresses that make findings doubtful by what they are for. */
    purposes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.Optional(Text),
            methods: Type.Optional(Type.Array(Text, { minItems: 1 })),
            /** The host has a name of the house. */
            inner: Type.Optional(Type.Boolean()),
            /** The client is in the house and its agent says so. */
            agent: Type.Optional(Text),
            /** The client shows who it is. */
            credentials: Type.Optional(Type.Boolean()),
            /** The finding stands in the body. */
            body: Type.Optional(Type.Boolean()),
            /** The value is a text: words enough, some in a row before any mark of code. */
            text: Type.Optional(Type.Boolean()),
            /** The body says more than a payload: words enough, and several fields or a client that shows who it is. */
            speaks: Type.Optional(Type.Boolean()),
            /** Its path is made of words, and words enough are sent with it. */
            worded: Type.Optional(Type.Boolean()),
            /** Critical findings are meant as well. */
            critical: Type.Optional(Type.Boolean()),
            /** The value is run as a whole by its purpose: what would run inside any text is no more than that. */
            whole: Type.Optional(Type.Boolean()),
            /** The value has such a name: a path is chosen by who sends the request, the field by who reads it. */
            names: Type.Optional(Text),
            /** Names of values that are meant to be something else; nor is a name itself meant. */
            other: Type.Optional(Text),
            /** Ids of findings. */
            findings: Text,
            /** Values that are believed all the same. */
            except: Type.Optional(Text),
            /** Probability of the words below which the findings are doubtful. */
            below: Type.Number({ minimum: 0, maximum: 1 }),
          },
          { additionalProperties: false },
        ),
      ),
    ),
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

type PurposeRow = NonNullable<Static<typeof WebSignatureFile>['purposes']>[number];

/** The purpose of an address, with the findings that it makes doubtful. */
export interface Purpose
  extends Omit<PurposeRow, 'path' | 'agent' | 'names' | 'other' | 'findings' | 'except'> {
  path?: RegExp;
  agent?: RegExp;
  names?: RegExp;
  other?: RegExp;
  findings: RegExp;
  except?: RegExp;
}

/** A change that no honest client sends, by its path and a field of its body. */
export interface Forged {
  id: string;
  title: string;
  level: Level;
  path: RegExp;
  fields: RegExp;
}

export interface WebKnowledge {
  signatures: WebSignature[];
  sql: SqlWords;
  /** Alternatives of a regular expression: commands of Unix. */
  unixCommands: string;
  innerHosts?: RegExp;
  credentials?: RegExp;
  purposes: Purpose[];
  forged: Forged[];
  parameters: ParameterNames;
  redirects?: RegExp;
  resets?: RegExp;
  tokenFields?: RegExp;
  /** Addresses that have no purpose but to run a script. */
  interpreted?: RegExp;
  /** Runs inside any text, so that no words around it make it a quotation. */
  running?: RegExp;
}

/** @throws EngineError internal_error when the pack has no such file or it is not as its schema asks */
export async function loadWebKnowledge(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<WebKnowledge> {
  const file = await packYaml(pack, 'web-signatures.yml', WebSignatureFile);
  const { fragments, families, sql, inner_hosts, credentials, redirects, running } = file;
  const { resets, token_fields, interpreted } = file;
  const { forged = [], purposes = [], parameters = {} } = file;
  const expand = (pattern: string) => expandFragments(pattern, fragments);
  return {
    signatures: families.flatMap((family) => toSignatures(family, expand)),
    sql: toSqlWords(sql, expand),
    unixCommands: fragments.unix ? expand(fragments.unix) : '',
    ...(inner_hosts && { innerHosts: new RegExp(inner_hosts, 'iu') }),
    ...(credentials && { credentials: new RegExp(credentials, 'iu') }),
    forged: forged.map(({ id, title, level, path, fields }) => ({
      id: `web-tamper-${id}`,
      title,
      level,
      path: new RegExp(path, 'iu'),
      fields: new RegExp(fields.join('|'), 'iu'),
    })),
    parameters: namesOf(parameters),
    ...(redirects && { redirects: new RegExp(redirects, 'iu') }),
    ...(resets && { resets: new RegExp(resets, 'iu') }),
    ...(token_fields && { tokenFields: new RegExp(token_fields, 'iu') }),
    ...(interpreted && { interpreted: new RegExp(interpreted, 'iu') }),
    purposes: purposes.map(({ path, agent, names, other, findings, except, ...row }) => ({
      ...row,
      findings: new RegExp(findings, 'u'),
      ...(path && { path: new RegExp(path, 'iu') }),
      ...(agent && { agent: new RegExp(agent, 'iu') }),
      ...(names && { names: new RegExp(names, 'iu') }),
      ...(other && { other: new RegExp(other, 'iu') }),
      ...(except && { except: new RegExp(expand(except), 'iu') }),
    })),
    ...(running && { running: new RegExp(running.join('|'), 'iu') }),
  };
}

/** A kind that the pack does not know has no names. */
const NO_NAME = '(?!)';

const namesOf = (rows: Partial<Record<string, string>>): ParameterNames =>
  Object.fromEntries(
    PARAMETERS.map((kind) => [kind, new RegExp(rows[kind] ?? NO_NAME, 'iu')]),
  ) as ParameterNames;

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
