/**
 * Descriptions of pictures, for a short time and in memory alone: a client sends the whole conversation each time, and a picture is
 * not looked at again for it. A key finds its own alone.
 */
import { createHash } from 'node:crypto';
import type { ModelId } from '../../api/common.ts';

export interface Description {
  text: string;
  /** Models that found it. */
  by: ModelId[];
  images: number;
  frames: number;
  pages: number;
}

export interface DescribedPictures {
  find(name: string): Description | null;
  keep(name: string, description: Description): void;
}

const mostKept = 64;
const keptMs = 600_000;

/** @param now Unix milliseconds */
export function createDescribedPictures(now: () => number): DescribedPictures {
  /** Least recently used first. */
  const kept = new Map<string, { description: Description; untilMs: number }>();
  return {
    find(name) {
      for (const [each, { untilMs }] of kept) if (untilMs <= now()) kept.delete(each);
      const found = kept.get(name);
      if (!found) return null;
      kept.delete(name);
      kept.set(name, found);
      return found.description;
    },
    keep(name, description) {
      kept.set(name, { description, untilMs: now() + keptMs });
      for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
    },
  };
}

/** The same for the same bytes, key and packs. */
export const pictureName = (bytes: Uint8Array, ...about: readonly string[]): string =>
  `${createHash('sha256').update(bytes).digest('hex')} ${about.join(' ')}`;
