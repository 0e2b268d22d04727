/** Thread that sees if a JSON text matches a schema: either may be made to keep its reader busy. */
import { parentPort } from 'node:worker_threads';
import { Compile } from 'typebox/schema';
import type { SchemaCheck, SchemaVerdict } from './schema-check.ts';

parentPort?.on('message', (check: SchemaCheck) => parentPort?.postMessage({ matches: judge(check) }));

function judge({ schema, text }: SchemaCheck): SchemaVerdict['matches'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  try {
    return Compile(schema as object).Check(value);
  } catch {
    // A schema beyond the checker; that the text is JSON stands.
    return true;
  }
}
