/** Requests and answers of the images engine. Boxes are [x0, y0, x1, y1], 0 to 1 of the upright picture. */

import type { Box } from '../vision/geometry.ts';

export type VisionTask = 'caption' | 'objects' | 'scene_graph';
export type CaptionLanguage = 'en' | 'ms' | 'zh';

/** Which frames stand for a video: spread evenly over its time, or those that open a scene. */
export type FrameSampling = 'even' | 'scene_changes';

export interface FrameChoice {
  /** At most so many. */
  maxFrames: number;
  sampling: FrameSampling;
}

export interface ImageAnalyzeParams {
  /** A picture or a video, as a file. */
  bytes: Uint8Array;
  tasks: VisionTask[];
  language: CaptionLanguage;
  /** For a video. */
  frames: FrameChoice;
}

export interface FoundObject {
  label: string;
  confidence: number;
  bbox: Box;
}

/** Subject and object are indexes into the objects of the same result. */
export interface Relation {
  subject: number;
  predicate: string;
  object: number;
}

export interface FrameResult {
  caption: string;
  language: CaptionLanguage;
  objects: FoundObject[];
  scene: Record<string, number>;
  /** With the task `scene_graph`. */
  relations?: Relation[];
  /** Frames of a video. */
  timestampMs?: number;
}

export interface AnalyzeResult {
  results: FrameResult[];
  warnings: string[];
  /** 1 for a still picture, 0 for a video. */
  images: number;
  frames: number;
}

/** Frames of a video are told as they are done; the result comes last. */
export type AnalyzeItem =
  | {
      kind: 'progress';
      done: number;
      frames: number;
      /** Of the frames that were done since the last one, in ms. */
      timestampsMs: number[];
    }
  | { kind: 'result'; result: AnalyzeResult };
