/** Data files of packs (YAML, TSV) as checked values; their regular expressions share named fragments. */
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Static, TSchema } from 'typebox';
// As 'typebox/value' has them, at half the time to load.
import { Compile } from 'typebox/schema';
import { EngineError, type EnginePack } from './engine.ts';
import { packFile } from './pack-files.ts';

/** The refusal of a pack for one of its files. */
export const refuseFile = (name: string, what: string): EngineError =>
  new EngineError('internal_error', `The pack cannot be used: ${name}: ${what}`);

/**
 * A YAML file of the pack, else of its role's starter.
 * @throws EngineError internal_error that names the file and the first field that is wrong
 */
export async function packYaml<T extends TSchema>(
  pack: Pick<EnginePack, 'folder' | 'starter'>,
  name: string,
  schema: T,
): Promise<Static<T>> {
  const text = await packFile(pack, name);
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA });
  } catch {
    throw refuseFile(name, 'not valid YAML');
  }
  const compiled = Compile(schema);
  if (compiled.Check(value)) return value;
  const [, [problem]] = compiled.Errors(value);
  throw refuseFile(
    name,
    `${problem?.instancePath || '/'} ${problem?.message ?? 'is not as the schema asks'}`,
  );
}

/**
 * Rows of a TSV file of the pack, else of its role's starter; empty lines and those that begin with # are left out.
 * @throws EngineError internal_error when a row has another number of cells than `columns`
 */
export async function packTsv(
  pack: Pick<EnginePack, 'folder' | 'starter'>,
  name: string,
  columns: number,
): Promise<string[][]> {
  const rows = (await packFile(pack, name))
    .split(/\r?\n/u)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  const odd = rows.findIndex((row) => row.length !== columns);
  if (odd >= 0) throw refuseFile(name, `row ${odd + 1} has not ${columns} cells`);
  return rows;
}

/**
 * The pattern with each `${name}` replaced by that fragment, which may name others.
 * @throws EngineError internal_error for a name that is no fragment, or fragments that name each other in a ring
 */
export function expandFragments(
  pattern: string,
  fragments: Readonly<Record<string, string>>,
  depth = 0,
): string {
  if (depth > 10) throw refuseFile('fragments', 'they name each other in a ring');
  return pattern.replace(/\$\{([a-z][a-z\d_]*)\}/gu, (_, name: string) => {
    const fragment = fragments[name];
    if (fragment === undefined) throw refuseFile('fragments', `${name} is none`);
    return expandFragments(fragment, fragments, depth + 1);
  });
}

/** @throws EngineError internal_error that names the file whose pattern is no regular expression */
export function compilePattern(name: string, pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    throw refuseFile(name, `${pattern.slice(0, 80)} is no regular expression`);
  }
}
