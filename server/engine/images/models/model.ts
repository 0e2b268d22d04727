/** Abilities of a vision pack, task by task. Each part takes the frames of one batch and answers in their order. */
import type { Picture } from '../input/picture.ts';
import type { CaptionLanguage, FoundObject } from '../types.ts';

export interface Detector {
  detect(pictures: readonly Picture[], signal: AbortSignal): Promise<FoundObject[][]>;
}

export interface SceneModel {
  /** Scores 0 to 1 by label. */
  score(pictures: readonly Picture[], signal: AbortSignal): Promise<Record<string, number>[]>;
}

export interface Captioner {
  /** Languages it writes by itself. */
  languages: readonly CaptionLanguage[];
  caption(pictures: readonly Picture[], language: CaptionLanguage, signal: AbortSignal): Promise<string[]>;
}

export interface VisionModel {
  objects?: Detector;
  scenes?: SceneModel;
  captions?: Captioner;
  /** QR codes and barcodes are decoded beside the pack's own objects. */
  readsCodes?: boolean;
  /** Its charts, diagrams and maps are judged by their shapes as well. */
  settlesShapes?: boolean;
  /** Names of what the pack knows, for captions written from facts. */
  names?: NameTable;
  provider: string;
  refused: { provider: string; detail: string }[];
  close(): Promise<void>;
}

export type Name = Record<CaptionLanguage, string>;

export interface NameTable {
  objects: ReadonlyMap<string, Name>;
  kinds: ReadonlyMap<string, Name & { group: string }>;
  /** Scores from which a kind may be claimed. */
  thresholds: ReadonlyMap<string, number>;
}
