/**
 * Room and speed of a model here, from its shape and this machine's figures. Pure. Sizes follow server/engine/model-import/estimate.ts
 * for the preset `quality`; the estimate card before an import reads the very file and is exact.
 */
import type { MachineFigures } from '../../../../../server/api/console/packs.ts';
import type { OpenModel } from './open-models.ts';

export interface Advice {
  /** Bytes of the pack, the weights counted once. */
  packBytes: number;
  /** Bytes of memory while it serves conversations of up to 4,096 tokens. */
  memoryBytes: number;
  /** `slow`: answers slower than one reads; `tight`: only when other engines make room. */
  fit: 'good' | 'slow' | 'tight' | 'none';
  /** Tokens a second of one conversation, from and to; null: memory was not measured. */
  speed: { from: number; to: number } | null;
}

const layerBits = 4.4;
const tableBits = 8 + 40 / 128;
const cacheTokens = 4_096;
const overheadBytes = 200 * 1_048_576;
const mebibyte = 1_048_576;
/** A step reads every weight once; of what the memory gives, so much is reached by decoding. */
const reached = { from: 0.4, to: 0.8 };
/** The rest of the memory is for the other engines and for other programs. */
const comfortable = 0.6;

export function adviseOn(model: OpenModel, machine: MachineFigures): Advice {
  const table = (model.vocabulary * model.hidden) / 1e6;
  const inTables = model.tied ? table : 2 * table;
  const layerBytes = ((model.weights - inTables) * 1e6 * layerBits) / 8;
  const tableBytes = (table * 1e6 * tableBits) / 8;
  const packBytes = layerBytes + (model.tied ? tableBytes : 2 * tableBytes);
  const cacheBytes =
    model.layers * 2 * model.kvHeads * model.headDim * 4 * Math.min(model.context, cacheTokens);
  const memoryBytes = packBytes + cacheBytes + overheadBytes;
  const ceiling = Math.min(machine.ceiling_mb, machine.memory_mb) * mebibyte;
  const limit =
    machine.read_bytes_per_second === null ? null : machine.read_bytes_per_second / (layerBytes + tableBytes);
  const speed = limit === null ? null : { from: limit * reached.from, to: limit * reached.to };
  return { packBytes, memoryBytes, fit: fitOf(memoryBytes, ceiling, speed), speed };
}

function fitOf(memoryBytes: number, ceiling: number, speed: Advice['speed']): Advice['fit'] {
  if (memoryBytes > ceiling) return 'none';
  if (speed !== null && speed.to < readingTokens) return 'slow';
  return memoryBytes > ceiling * comfortable ? 'tight' : 'good';
}

const fits: readonly Advice['fit'][] = ['good', 'tight', 'slow', 'none'];

/** The best comes first: by fit, and of those the most able. */
export const byFit = (
  a: { model: OpenModel; advice: Advice },
  b: { model: OpenModel; advice: Advice },
): number => fits.indexOf(a.advice.fit) - fits.indexOf(b.advice.fit) || b.model.weights - a.model.weights;

/** The largest that fits with room to spare and still answers about as fast as one reads; null: none does. */
export function recommend(models: readonly OpenModel[], machine: MachineFigures): OpenModel | null {
  const readable = models.filter((model) => adviseOn(model, machine).fit === 'good');
  return readable.toSorted((a, b) => b.weights - a.weights)[0] ?? null;
}

/** Tokens a second of somebody who reads. */
const readingTokens = 5;

/** A publisher's checksum as people paste it: with its file's name, a prefix, spaces, capitals. Null: none is in it. */
export const readChecksum = (text: string): string | null =>
  /(?:^|[^0-9a-f])([0-9a-f]{64})(?:$|[^0-9a-f])/i.exec(text)?.[1]?.toLowerCase() ?? null;
