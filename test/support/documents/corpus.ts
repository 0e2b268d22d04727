/**
 * Parses the PDFs under the folders given, in an engine host of its own (this process), and prints what came of each
 * as JSON lines, the peak memory last. Run as a child so that a crash or a leak is seen from outside:
 * `node test/support/documents/corpus.ts SECONDS FOLDER…`. When the time is over the rest is left out; the order is
 * strided, so that a slow machine still sees files of every folder.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentsEngine } from '../../../server/engine/documents/engine.ts';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import { EngineError } from '../../../server/engine/engine.ts';
import { openStarter } from './open-starter.ts';

export type Outcome =
  | { file: string; ms: number; result: { type: string; fields: number; tables: number; warnings: number } }
  | { file: string; ms: number; code: string };

export const contractCodes = [
  'document_encrypted',
  'document_unreadable',
  'unsupported_media',
  'invalid_page_range',
];

async function parse(engine: DocumentsEngine, bytes: Uint8Array, pages: string | null): Promise<ParseResult> {
  const params = { bytes, pages, template: null, outputFormat: 'text' as const };
  for await (const item of engine.methods.parse(params, { signal: new AbortController().signal }))
    if (item.kind === 'result') return item.result;
  throw new Error('no result');
}

/** Long documents are asked for again with their first twenty pages. */
async function outcomeOf(engine: DocumentsEngine, file: string): Promise<Outcome> {
  const start = performance.now();
  const bytes = readFileSync(file);
  const elapsed = (): number => Math.round(performance.now() - start);
  try {
    const result = await parse(engine, bytes, null).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'invalid_page_range')
        return parse(engine, bytes, '1-20');
      throw error;
    });
    const { type, fields, tables, warnings } = result;
    const counts = {
      type,
      fields: Object.keys(fields).length,
      tables: tables.length,
      warnings: warnings.length,
    };
    return { file, ms: elapsed(), result: counts };
  } catch (error) {
    return { file, ms: elapsed(), code: error instanceof EngineError ? error.code : String(error) };
  }
}

export const pdfsUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.pdf'))
    .sort()
    .map((file) => join(folder, file));

const stride = 7;

async function main([seconds, ...folders]: string[]): Promise<void> {
  const engine = await openStarter();
  const end = performance.now() + Number(seconds) * 1000;
  const files = folders.flatMap(pdfsUnder);
  for (let offset = 0; offset < stride; offset++)
    for (let index = offset; index < files.length && performance.now() < end; index += stride)
      console.log(JSON.stringify(await outcomeOf(engine, files[index]!)));
  await engine.close();
  console.log(JSON.stringify({ peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
