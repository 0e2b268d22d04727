/** What each quantization costs on trained weights (chat-quality/precisions.ts). */
import { policies } from '../../server/engine/model-import/convert.ts';
import { measurePrecisions, type PrecisionRow, type Recipe } from './chat-quality/precisions.ts';
import { withQ4_0 } from './chat-quality/q4-0.ts';
import type { BenchOptions } from './run.ts';

const recipes: Record<string, Recipe> = {
  '8 bits, block 64': { precision: () => ({ bits: 8, block: 64 }), exactQ4_0: false },
  'quality: blocks by error, tables in 8': { precision: policies.quality, exactQ4_0: false },
  'speed: blocks by error, tables in 4': { precision: policies.speed, exactQ4_0: false },
  '4 bits, block 64': { precision: () => ({ bits: 4, block: 64 }), exactQ4_0: false },
  '4 bits, block 128': { precision: () => ({ bits: 4, block: 128 }), exactQ4_0: false },
  '4 bits, block 256': { precision: () => ({ bits: 4, block: 256 }), exactQ4_0: false },
  'Q4_0, block 32': { precision: () => ({ bits: 4, block: 32 }), exactQ4_0: true, source: withQ4_0 },
};

export async function run(options: BenchOptions): Promise<object> {
  const some = Object.fromEntries(Object.entries(recipes).slice(0, options.quick ? 1 : undefined));
  const rows = await measurePrecisions(some, options);
  return { rows, table: tableOf(rows) };
}

const tableOf = (rows: readonly PrecisionRow[]): string =>
  [
    '| precision | bits a weight | MB | perplexity, text | perplexity, answers | KL from float32 | same first choice |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
  ].join('\n');
