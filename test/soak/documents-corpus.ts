/**
 * Parses the PDFs under the folders given over and over, whole and damaged, for the minutes given, and watches the
 * memory: `node test/soak/documents-corpus.ts MINUTES FOLDER…`. Ends with exit code 1 at the first answer that is
 * neither a result nor a contract error.
 */

import { readFileSync } from 'node:fs';
import { EngineError } from '../../server/engine/engine.ts';
import { contractCodes, pdfsUnder } from '../support/documents/corpus.ts';
import { openStarter } from '../support/documents/open-starter.ts';

/** Small, fast and repeatable (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Cuts the end off, or flips a few bits. */
function damage(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.3) return bytes.subarray(0, Math.floor(bytes.length * random()));
  const copy = Buffer.from(bytes);
  for (let flip = 0; flip < 20 && copy.length > 0; flip++)
    copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8);
  return copy;
}

const [minutes, ...folders] = process.argv.slice(2);
const files = folders.flatMap(pdfsUnder);
const end = performance.now() + Number(minutes) * 60_000;
const engine = await openStarter();
let rounds = 0;
for (let seed = 1; performance.now() < end && files.length > 0; seed++) {
  const random = randomFrom(seed);
  const file = files[Math.floor(random() * files.length)]!;
  const whole = readFileSync(file);
  const bytes = seed % 3 === 0 ? whole : damage(whole, random);
  const params = { bytes, template: null, pages: '1', outputFormat: 'text' as const };
  try {
    for await (const _item of engine.methods.parse(params, { signal: new AbortController().signal }));
  } catch (error) {
    if (!(error instanceof EngineError) || !contractCodes.includes(error.code)) {
      console.error(`seed ${seed}, ${file}:`, error);
      process.exit(1);
    }
  }
  if (++rounds % 200 === 0) console.log(`${rounds} files, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
}
await engine.close();
console.log(`${rounds} files, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
