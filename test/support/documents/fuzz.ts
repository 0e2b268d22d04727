/**
 * Damaged documents, sent to a parsing thread in this process: cut short, bits flipped, both. Each must parse or be
 * refused with a code of the contract.
 *
 * The networks of recognition are replaced by ones that see text where chance says, and read chance characters: what
 * is tested is all around them, and two thousand files take minutes instead of hours.
 */

import { unzipSync, zipSync } from 'fflate';
import { ParsingThread } from '../../../server/engine/documents/thread/parsing-thread.ts';
import { EngineError } from '../../../server/engine/engine.ts';
import type {
  PixelTensor,
  TextModels,
  TopKScores,
} from '../../../server/engine/vision/ocr/models/text-models.ts';
import { topK } from '../../../server/engine/vision/ocr/models/text-models.ts';
import { contractCodes } from './corpus.ts';
import { type Chance, chanceFrom } from './forms/form-maker.ts';

export interface FuzzSeed {
  name: string;
  bytes: Uint8Array;
}

export interface FuzzReport {
  count: number;
  parsed: number;
  /** Refusals by code. */
  refused: Record<string, number>;
  /** Files that ended in anything else, with how they were made. */
  failures: { name: string; seed: number; error: string }[];
  slowest: { name: string; seed: number; ms: number };
  /** Resident memory of the process after a tenth of the files, at the end, and at its highest. */
  rssMb: { early: number; end: number; peak: number };
}

const characters = ['', ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/.-<口☐', ' '];

function chanceModels(chance: Chance): TextModels {
  const below = (limit: number): number => Math.floor(chance() * limit);
  return {
    characters,
    cropHeightPx: 48,
    findText: async ({ width, height }: PixelTensor) => {
      const map = new Float32Array(width * height);
      for (let line = below(12); line > 0; line--) {
        const [x, y, length] = [below(width), below(height), 16 + below(width / 2)];
        for (let row = y; row < Math.min(height, y + 10); row++)
          map.fill(0.9, row * width + x, row * width + Math.min(width, x + length));
      }
      return map;
    },
    read: async ({ count, width }: PixelTensor): Promise<TopKScores> => {
      const timesteps = Math.max(1, Math.floor(width / 8));
      return {
        timesteps,
        classes: Int32Array.from({ length: count * timesteps * topK }, () =>
          chance() < 0.5 ? 0 : below(characters.length),
        ),
        scores: new Float32Array(count * timesteps * topK).fill(0.8),
        blanks: new Float32Array(count * timesteps).fill(0.01),
      };
    },
  };
}

/** An archive with one part of it damaged and packed again, so that the damage comes through to what reads the part. */
function damagePart(bytes: Uint8Array, chance: Chance): Uint8Array {
  const parts = unzipSync(bytes);
  const names = Object.keys(parts);
  const name = names[Math.floor(chance() * names.length)];
  if (name !== undefined) parts[name] = new Uint8Array(damageBytes(parts[name]!, chance));
  return zipSync(parts, { level: 1 });
}

/** A damaged copy; of an archive mostly one whose part is. */
export const damage = (bytes: Uint8Array, chance: Chance): Uint8Array =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && chance() < 0.8
    ? damagePart(bytes, chance)
    : damageBytes(bytes, chance);

function damageBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  const kind = chance();
  let copy = new Uint8Array(bytes);
  if (kind < 0.45) copy = copy.subarray(0, Math.floor(chance() * copy.length));
  if (kind >= 0.35 && copy.length > 0)
    for (let flips = 1 + Math.floor(chance() * 40); flips > 0; flips--) {
      const at = Math.floor(chance() * copy.length);
      copy[at]! ^= 1 << Math.floor(chance() * 8);
    }
  return copy;
}

const residentMb = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);

/** Null if it parsed, else the code it was refused with. */
async function parseOne(
  thread: ParsingThread,
  bytes: Uint8Array,
  pages: string | null,
): Promise<string | null> {
  try {
    const params = { bytes, template: null, pages, outputFormat: 'text' as const };
    for await (const item of thread.stream('parse', params, new AbortController())) void item;
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

export async function fuzzDocuments(
  seeds: FuzzSeed[],
  options: { seed: number; count: number; onProgress?: (done: number) => void },
): Promise<FuzzReport> {
  const thread = new ParsingThread(() => Promise.resolve(chanceModels(chanceFrom(options.seed))));
  const report: FuzzReport = {
    count: options.count,
    parsed: 0,
    refused: {},
    failures: [],
    slowest: { name: '', seed: 0, ms: 0 },
    rssMb: { early: 0, end: 0, peak: 0 },
  };
  for (let index = 0; index < options.count; index++) {
    const chance = chanceFrom(options.seed * 1_000_003 + index);
    const { name, bytes } = seeds[Math.floor(chance() * seeds.length)]!;
    const start = performance.now();
    try {
      const code = await parseOne(thread, damage(bytes, chance), chance() < 0.8 ? '1' : null);
      if (code === null) report.parsed++;
      else if (contractCodes.includes(code)) report.refused[code] = (report.refused[code] ?? 0) + 1;
      else report.failures.push({ name, seed: index, error: code });
    } catch (error) {
      report.failures.push({ name, seed: index, error: String(error) });
    }
    const ms = Math.round(performance.now() - start);
    if (ms > report.slowest.ms) report.slowest = { name, seed: index, ms };
    const resident = residentMb();
    report.rssMb.peak = Math.max(report.rssMb.peak, resident);
    report.rssMb.end = resident;
    if (index <= options.count / 10) report.rssMb.early = resident;
    options.onProgress?.(index + 1);
  }
  await thread.close();
  return report;
}
