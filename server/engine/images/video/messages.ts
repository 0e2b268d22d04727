/** Between the host and its decoding thread. One video at a time. */
import type { FrameChoice } from '../types.ts';
import type { Planes, Turn } from './yuv.ts';

export type ToVideoThread =
  | { kind: 'open'; bytes: Uint8Array; choice: FrameChoice }
  /** The host takes one more frame; the thread works ahead by what it was allowed and no further. */
  | { kind: 'more' };

export type FromVideoThread =
  | { kind: 'frame'; planes: Planes; turn: Turn; timestampMs: number; chosen: number }
  /** Still coming on. */
  | { kind: 'progress' }
  | { kind: 'end' }
  | { kind: 'error'; code: string; message: string; param: string | null };
