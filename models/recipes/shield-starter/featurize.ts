/** Reads JSON strings, one a line, on stdin; writes token features as the engine computes them (see corpus in features.py). */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { featureBlock, featuresPerToken } from '../../../server/engine/moderation/text/features.ts';
import { loadSimplified } from '../../../server/engine/moderation/text/simplified.ts';
import { tokenize } from '../../../server/engine/moderation/text/tokens.ts';

const [bucketsArgument = '', lengthArgument = ''] = process.argv.slice(2);
const buckets = Number(bucketsArgument);
const longest = Number(lengthArgument);
const folder = fileURLToPath(new URL('../../packs/shield-starter', import.meta.url));
const simplified = await loadSimplified({ folder });

for await (const line of createInterface({ input: process.stdin })) {
  const tokens = tokenize(JSON.parse(line), simplified).slice(0, longest);
  const header = Int32Array.of(tokens.length * featuresPerToken);
  const block = featureBlock(tokens, tokens.length, buckets);
  const ready = process.stdout.write(Buffer.concat([Buffer.from(header.buffer), Buffer.from(block.buffer)]));
  if (!ready) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
