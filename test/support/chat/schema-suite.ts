/** The JSON Schema Test Suite of the shared data, turned around: texts to be written under a schema. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Acceptor } from '../../../server/engine/grammar/acceptor.ts';
import { jsonAcceptor } from '../../../server/engine/grammar/json.ts';
import { compileSchema } from '../../../server/engine/grammar/schema/compile.ts';
import { UnsupportedSchema } from '../../../server/engine/grammar/schema/compiling.ts';
import { StateInterner } from '../../../server/engine/grammar/schema/schema-state.ts';

export const suiteFolder = fileURLToPath(
  new URL('../../../../shared/data/json-schema-test-suite/tests', import.meta.url),
);
export const hasSuite = existsSync(suiteFolder);

export interface SuiteGroup {
  file: string;
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

export function readSuite(draft: string): SuiteGroup[] {
  const folder = join(suiteFolder, draft);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), 'utf8')) as SuiteGroup[]).map((group) => ({
        ...group,
        file,
      })),
    );
}

/** null: refused, with the reason. */
export function acceptorOf(schema: unknown): { acceptor: Acceptor } | { refusal: string } {
  const pool = new StateInterner();
  try {
    return { acceptor: jsonAcceptor(pool, compileSchema(schema, pool).start) };
  } catch (error) {
    if (error instanceof UnsupportedSchema) return { refusal: `${error.pointer}: ${error.message}` };
    throw error;
  }
}

/** Whether the whole text is let through, byte by byte, and may end there. */
export function accepts(start: Acceptor, text: string): boolean {
  let state: Acceptor | null = start;
  for (const byte of Buffer.from(text)) {
    state = state.step(byte);
    if (!state) return false;
  }
  return state.canEnd;
}
