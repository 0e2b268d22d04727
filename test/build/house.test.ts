/** What keeps the floor plan: no import cycle, one meaning for a name, comments that open with the fact, short README lines. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, readImports } from './import-checker.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx,cts}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

/** Groups of files that import each other, types included (Tarjan's strongly connected components). */
function cycles(imports: Import[]): string[][] {
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports)
    graph.set(file, [...(graph.get(file) ?? []), target.replace(/\.js$/, '.ts')]);
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
/** Comment, name and body. */
const exportedFunction =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (?:async )?function\*? (\w+)([\s\S]*?)^\}$/gm;
/** Every engine has one. */
const repeated = new Set(['openEngine']);

/** A table is named by its page, and each language has it. */
const stringTables = 'renderer/src/strings/';

/** Exported names with the files that export them, where there are several. */
function homonyms(folder: string): string[] {
  const owners = new Map<string, Set<string>>();
  for (const file of sources(folder).filter((each) => !each.startsWith(stringTables)))
    for (const [, name] of read(file).matchAll(exported))
      owners.set(name!, (owners.get(name!) ?? new Set()).add(file));
  return [...owners]
    .filter(([name, files]) => files.size > 1 && !repeated.has(name))
    .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
}

const questionFirst = /(?:\/\*\*?\s*(?:\n\s*\*\s*)?|\/\/\s*)(?:What|Whether|How|Where)\b.*/g;

describe('the house', () => {
  it('has no import cycle, types included', () => {
    expect(cycles(readImports(root, ['server', 'renderer/src', 'electron', 'build']))).toEqual([]);
  });

  it('finds a cycle where there is one', () => {
    const sources = { one: "import type { B } from './two.ts';", two: "import { a } from './one.ts';" };
    const imports = Object.entries(sources).flatMap(([name, text]) => importsOf(`${name}.ts`, text));
    expect(cycles(imports)).toEqual([['one.ts', 'two.ts']]);
  });

  it.each(['server', 'renderer/src'])('gives an exported name one meaning within %s', (folder) => {
    expect(homonyms(folder)).toEqual([]);
  });

  it('tells of every engine function that is exported and throws, by @throws', () => {
    const silent = sources('server/engine').flatMap((file) =>
      [...read(file).matchAll(exportedFunction)]
        .filter(([, doc = '', , body]) => /^ {2}.*\bthrow /m.test(body!) && !doc.includes('@throws'))
        .map(([, , name]) => `${file}: ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('names files of its own that are there, also those that are started by path', () => {
    const missing = ['server', 'electron']
      .flatMap(sources)
      .flatMap((file) =>
        [...read(file).matchAll(/['`](\.{1,2}\/[\w/.-]+)\.(?:c?ts['`]|\$\{)/g)]
          .filter(([, path]) =>
            ['ts', 'cts'].every((ending) => !existsSync(join(root, dirname(file), `${path}.${ending}`))),
          )
          .map(([found]) => `${file}: ${found}`),
      );
    expect(missing).toEqual([]);
  });

  it('reads the environment in server/config.ts alone', () => {
    const readers = ['server', 'electron']
      .flatMap(sources)
      .filter((file) => read(file).includes('process.env'));
    expect(readers.sort()).toEqual([
      'electron/main.ts', // An AppImage is told in it where its own file lies.
      'server/cli/trust/prove-offline.ts', // Hands it on, as a person's shell does.
      'server/config.ts',
      'server/engine/confinement/become-host.ts', // Hands it on to the process that it becomes.
      'server/engine/onnx/library/library.ts', // Writes: ONNX Runtime's telemetry is off before it loads.
    ]);
  });

  it('opens comments with the fact, not with a question', () => {
    const opened = ['server', 'renderer/src', 'electron', 'build'].flatMap((folder) =>
      sources(folder).flatMap((file) =>
        [...read(file).matchAll(questionFirst)].map(
          ([line]) => `${file}: ${line.split('\n').at(-1)!.trim()}`,
        ),
      ),
    );
    expect(opened).toEqual([]);
  });

  it('keeps README lines under 160 characters', () => {
    const long = globSync('{*.md,{build,electron,models,renderer,server,test}/**/*.md}', {
      cwd: root,
      exclude: (path) => path.includes('node_modules'),
    }).flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) => (line.length >= 160 ? [`${file}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });
});
