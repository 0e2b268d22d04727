/**
 * Reads a scan in an engine host of its own, this process, and prints pages, seconds and the peak memory as one JSON
 * line: `node test/support/documents/scan-speed.ts SCAN.tiff`.
 */

import { readFileSync } from 'node:fs';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import { openStarter } from './open-starter.ts';

const bytes = readFileSync(process.argv[2]!);
const engine = await openStarter();

async function read(pages: string | null): Promise<ParseResult> {
  const params = { bytes, pages, template: 'generic' as const, outputFormat: 'text' as const };
  for await (const item of engine.methods.parse(params, { signal: new AbortController().signal }))
    if (item.kind === 'result') return item.result;
  throw new Error('no result');
}

// Sessions open and code warms up before the clock starts.
await read('1');
const start = performance.now();
const { pages, text } = await read(null);
const seconds = (performance.now() - start) / 1000;
await engine.close();
const empty = text!.split('\f').filter((page) => page.trim() === '').length;
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ pages, empty, seconds, peakMb }));
process.exit(0);
