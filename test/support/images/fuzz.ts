/** Sends damaged files to an engine host of its own and counts what it says. */
import { fileURLToPath } from 'node:url';
import type { ImageAnalyzeParams } from '../../../server/engine/images/types.ts';
import { ApiError } from '../../../server/errors.ts';
import { Host } from '../../../server/hosts/host.ts';
import { nodeSpawn } from '../../../server/hosts/port.ts';
import { readResidentMb } from '../../../server/hosts/resident-memory.ts';
import { toEnginePack } from '../../../server/hosts/serving-pack.ts';
import { readPack } from '../../../server/packs/registry.ts';
import { damagedFiles } from './damage.ts';

export interface FuzzReport {
  files: number;
  /** Read all the same: damage that a decoder may overlook. */
  read: number;
  /** By code. */
  refused: Record<string, number>;
  /** Ends of the host, which must not be. */
  crashes: string[];
  peakMb: number;
  /** What the pack's manifest says that it needs. */
  promisedMb: number;
}

export interface FuzzPlan {
  seed: number;
  count: number;
  onProgress?: (done: number) => void;
}

const startTimeoutMs = 60_000;
const fileTimeoutMs = 120_000;
/** Two at a time, as a desktop would. */
const lanes = 2;
const packFolder = fileURLToPath(new URL('../../../models/packs/vision-starter', import.meta.url));

export async function fuzzImages(files: readonly Uint8Array[], plan: FuzzPlan): Promise<FuzzReport> {
  const pack = readPack(packFolder, false);
  const promisedMb = pack.manifest.memory_mb ?? 0;
  const report: FuzzReport = { files: 0, read: 0, refused: {}, crashes: [], peakMb: 0, promisedMb };
  const host = new Host(nodeSpawn(process.env), 'images', {
    pack: toEnginePack(pack, null),
    options: { threads: 1, providers: ['cpu'] },
    events: {
      onExit: (reason) => report.crashes.push(reason),
      onEnd: () => report.crashes.push('stuck'),
      onFailure: () => {},
    },
  });
  await host.start(startTimeoutMs);
  const memory = setInterval(async () => {
    const resident = await readResidentMb([host.pid!]);
    report.peakMb = Math.max(report.peakMb, resident.get(host.pid!) ?? 0);
  }, 500);
  const inputs = damagedFiles(files, plan);
  const work = async () => {
    for (const bytes of inputs) {
      await send(host, bytes, report);
      plan.onProgress?.(report.files);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  // Alive is what still answers, not what has not ended yet.
  if (report.crashes.length === 0) await send(host, files[0]!, { ...report, refused: report.refused });
  const crashes = [...report.crashes];
  clearInterval(memory);
  await host.close();
  return { ...report, crashes };
}

async function send(host: Host<'images'>, bytes: Uint8Array, report: FuzzReport): Promise<void> {
  const params: ImageAnalyzeParams = {
    bytes,
    tasks: ['scene_graph'],
    language: 'en',
    frames: { maxFrames: 2, sampling: 'even' },
  };
  const call = { signal: new AbortController().signal, deadlineMs: fileTimeoutMs };
  report.files++;
  try {
    for await (const item of host.stream('analyze', params, call)) if (item.kind === 'result') break;
    report.read++;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unknown';
    report.refused[code] = (report.refused[code] ?? 0) + 1;
  }
}
