import { describe, expect, it } from 'vitest';
import { root } from '../../build/start/paths.ts';
import { importsOf, type Rule, readImports, violations } from './import-checker.ts';
import { importRules } from './import-rules.ts';

describe('imports', () => {
  const imports = readImports(root, ['server', 'electron', 'renderer', 'build', 'models']);

  it('follow the rules', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(violations(imports, importRules)).toEqual([]);
  });

  it('point at files with their extension, which Node needs', () => {
    const own = imports.filter(({ target }) => /^(server|electron|build)\//.test(target));
    expect(own.filter(({ target }) => !/\.\w+$/.test(target))).toEqual([]);
  });
});

describe('importsOf', () => {
  const targets = (source: string) =>
    importsOf('server/services/chat.ts', source).map(
      ({ target, typeOnly }) => `${target}${typeOnly ? ' (type)' : ''}`,
    );

  it.each([
    ["import { a } from '../db/keys.ts';", 'server/db/keys.ts'],
    ["import type { A } from './a.ts';", 'server/services/a.ts (type)'],
    ["import {\n  a,\n  b,\n} from 'fastify';", 'fastify'],
    ["export { a } from '@napi-rs/canvas/x.js';", '@napi-rs/canvas'],
    ["import 'pdfjs-dist/build/pdf.mjs';", 'pdfjs-dist'],
    ["import fs from 'fs';", 'node:fs'],
    ["import { x } from 'node:fs/promises';", 'node:fs'],
    ["const a = await import('koffi');", 'koffi'],
    ["const e = require('electron') as X;", 'electron'],
    ["type E = typeof import('electron');", 'electron (type)'],
  ])('reads %s', (source, expected) => {
    expect(targets(source)).toEqual([expected]);
  });

  it('passes over comments', () => {
    expect(targets("/** import 'fastify' */\n  // import 'fastify';\nconst a = 1;")).toEqual([]);
  });
});

describe('violations', () => {
  const check = (rule: Omit<Rule, 'reason'>, source: string) =>
    violations(importsOf('server/services/chat.ts', source), [{ ...rule, reason: 'because' }]);

  it('names file, target and reason', () => {
    const found = check({ never: ['fastify'] }, "import f from 'fastify';");
    expect(found).toEqual(['server/services/chat.ts imports fastify: because']);
  });

  it('knows exceptions, allow lists and free types', () => {
    const source = "import type { F } from 'fastify';";
    expect(check({ never: ['fastify'] }, source)).toHaveLength(1);
    expect(check({ never: ['fastify'], typesFree: true }, source)).toEqual([]);
    expect(check({ never: ['fastify'], except: ['server/services/**'] }, source)).toEqual([]);
    expect(check({ from: ['server/api/**'], never: ['fastify'] }, source)).toEqual([]);
    expect(check({ only: ['server/**', 'node:*'] }, source)).toHaveLength(1);
    expect(check({ only: ['server/**', 'node:*'] }, "import 'node:fs';\nimport './a.ts';")).toEqual([]);
  });
});
