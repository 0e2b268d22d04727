/** Reads who imports whom from the sources and compares it with a rule table. */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';

export interface Rule {
  /** Files the rule speaks about: glob patterns from the root; every file outside `test/` when absent. */
  from?: string[];
  /** Files of `from` that it does not speak about. */
  except?: string[];
  /** What those files may import, all else being refused: paths from the root, packages, `node:*`. */
  only?: string[];
  /** What those files may not import. */
  never?: string[];
  /** `import type` is free: it leaves nothing at run time. */
  typesFree?: boolean;
  reason: string;
}

export interface Import {
  file: string;
  /** A path from the root (`server/app.ts`), a package name or a module of Node's (`node:fs`). */
  target: string;
  typeOnly: boolean;
}

const statement =
  /^[ \t]*(?:import|export)\s+(?:(type)\s+)?(?:[^'"`;]*?\bfrom\s*)?['"]([^'"\n]+)['"]|\b(?:import|require)\(\s*['"]([^'"\n]+)['"]/gm;

/** Imports of one source, static and dynamic. `import('x')` inside a type counts as a type import. */
export function importsOf(file: string, source: string): Import[] {
  const code = source.replace(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '');
  return [...code.matchAll(statement)].map((match) => {
    const [, type, fixed, dynamic] = match;
    const before = code.slice(0, match.index).trimEnd();
    const inType = dynamic !== undefined && /(?:[:|&<]|\btypeof|\btype\s+\w+\s*=)$/.test(before);
    return { file, target: toTarget(file, fixed ?? dynamic ?? ''), typeOnly: type !== undefined || inType };
  });
}

/** Everything the folders' TypeScript imports. */
export function readImports(root: string, folders: string[]): Import[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,cts,mts,mjs}`);
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((file) => importsOf(file, readFileSync(`${root}/${file}`, 'utf8')));
}

/** One line for each import that a rule refuses. */
export function violations(imports: Import[], rules: Rule[]): string[] {
  return imports.flatMap((edge) =>
    rules
      .filter((rule) => breaks(edge, rule))
      .map((rule) => `${edge.file} imports ${edge.target}: ${rule.reason}`),
  );
}

function breaks({ file, target, typeOnly }: Import, rule: Rule): boolean {
  if (rule.typesFree && typeOnly) return false;
  const concerned = rule.from ? matches(file, rule.from) : !file.startsWith('test/');
  if (!concerned || matches(file, rule.except ?? [])) return false;
  return matches(target, rule.never ?? []) || (rule.only !== undefined && !matches(target, rule.only));
}

function matches(path: string, patterns: string[]): boolean {
  return patterns.some((pattern) => posix.matchesGlob(path, pattern));
}

function toTarget(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const bare = specifier.replace(/^node:/, '');
  if (specifier.startsWith('node:') || builtinModules.includes(bare)) return `node:${bare.split('/')[0]}`;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
