import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'lokal-contract-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Files of a copy of the server that the compiler finds wrong, with the name it misses. */
function findErrors(): Promise<string[]> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', join(copy, 'server'), '--noEmit', '--pretty', 'false'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy }, (_error, stdout) => {
      const lines = [...stdout.matchAll(/^(?:server\/)?([\w/.-]+)\(\d+,\d+\): error (.*(?:\n +.*)*)/gm)];
      resolve(lines.map(([, file, text]) => `${file}: ${/'ping'/.exec(text!)?.[0] ?? text}`));
    });
  });
}

function edit(file: string, from: string, to: string): void {
  const path = join(copy, 'server', file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

it('a method is its line in the contract and its implementation: the compiler asks for both, and for a fixture', async () => {
  for (const each of ['server', 'build/tsconfig.base.json', 'package.json'])
    cpSync(join(root, each), join(copy, each), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  edit(
    'engine/contract.ts',
    '    rules: Call<null,',
    '    ping: Call<{ text: string }, { length: number }>;\n    rules: Call<null,',
  );
  // The table of engines in main.ts sees that one of them lacks it.
  expect([...new Set(await findErrors())].sort()).toEqual([
    "engine/main.ts: 'ping'",
    "engine/threat/engine.ts: 'ping'",
    "services/fixtures/engines.ts: 'ping'",
  ]);

  edit(
    'engine/threat/engine.ts',
    '    async rules() {',
    '    async ping({ text }) {\n      return { length: text.length };\n    },\n    async rules() {',
  );
  edit('services/fixtures/engines.ts', 'rules: none,', 'ping: none, rules: none,');
  expect(await findErrors()).toEqual([]);
}, 300_000);
