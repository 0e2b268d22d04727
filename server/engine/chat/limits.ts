/** Chooses how many sequences run at once and how long they may become, within a bound on the cache's memory. Pure. */
import type { Json } from '../pack-files.ts';

export interface CacheNeed {
  /** Bytes of keys and values of one position, all layers. */
  positionBytes: number;
  /** Positions the model was made for. */
  context: number;
  /** Memory of the machine. */
  totalBytes: number;
}

export interface Limits {
  /** Sequences that run at once; even, so that rows can be computed in pairs. */
  slots: number;
  /** Positions of each, prompt and answer together. */
  positions: number;
}

const defaultSlots = 8;
const fewestSlots = 2;
/** A context that is enough for most; more slots go before more context, up to here. */
const comfortableContext = 8192;
/** Of the machine's memory, when the person sets nothing. Taken as contexts grow, not at once. */
const shareOfMemory = 0.25;

/** `settings` may hold `slots`, `context` and `cache_mb`; what makes no sense is ignored. */
export function chooseLimits(settings: Json, { context, positionBytes, totalBytes }: CacheNeed): Limits {
  const wanted = Math.min(context, positive(settings.context) ?? context);
  const bytes = (positive(settings.cache_mb) ?? 0) * 2 ** 20 || totalBytes * shareOfMemory;
  const room = Math.max(1, Math.floor(bytes / positionBytes));
  const most = positive(settings.slots) ?? defaultSlots;
  const affordable = Math.floor(room / Math.min(wanted, comfortableContext));
  const slots = even(Math.max(fewestSlots, Math.min(most, affordable)));
  return { slots, positions: Math.min(wanted, Math.max(1, Math.floor(room / slots))) };
}

const even = (count: number): number => count + (count % 2);
const positive = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;
