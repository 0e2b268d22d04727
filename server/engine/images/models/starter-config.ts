/** `config.json` of the vision starter (models/packs/vision-starter/README.md), read as it stands. */
import { packFiles } from '../../pack-files.ts';
import type { CaptionLanguage } from '../types.ts';
import type { Name, NameTable } from './model.ts';

export const starterFiles = packFiles('vision');

interface Named extends Record<CaptionLanguage, string> {
  id: string;
}
type Gray = [number, number, number];

export interface VisionStarterConfig {
  detector: {
    model: string;
    input: { size: number; stride: number; pad: Gray };
    nms: { iou: number; max_boxes: number };
    labels: Named[];
    thresholds: Record<string, number>;
    calibration: Record<string, { slope: number; intercept: number }>;
  };
  scene: {
    model: string;
    input: { width: number; height: number; pad: Gray };
    kinds: (Named & { group: string })[];
    attributes: Named[];
    thresholds: Record<string, number>;
  };
}

/** @throws EngineError when the pack has no such file or it says something else */
export async function readVisionStarterConfig(folder: string): Promise<VisionStarterConfig> {
  const config = await starterFiles.readJson<VisionStarterConfig>(folder, 'config.json');
  const complete =
    config?.detector?.labels?.every(({ id }) => typeof id === 'string') &&
    config.scene?.kinds?.every(({ id, group }) => typeof id === 'string' && typeof group === 'string') &&
    Array.isArray(config.scene.attributes);
  if (!config || !complete) throw starterFiles.refuse('config.json names no detector and scene model.');
  return config;
}

const byId = <T extends Named>(items: T[]): Map<string, T> => new Map(items.map((item) => [item.id, item]));

export const toNames = ({ detector, scene }: VisionStarterConfig): NameTable => ({
  objects: byId(detector.labels) as Map<string, Name>,
  kinds: byId(scene.kinds),
  thresholds: new Map(Object.entries(scene.thresholds)),
});
