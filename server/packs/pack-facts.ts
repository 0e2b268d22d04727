/** A pack in the figures that clients of other servers ask for. null: its manifest does not say. */
import type { Manifest } from './manifest.ts';
import type { Pack } from './registry.ts';

export interface PackFacts {
  sizeBytes: number;
  /** Tokens. */
  context: number | null;
  dims: number | null;
  weights: number | null;
  quantization: string | null;
  architecture: string | null;
}

/** @param chosen what a person set for a chat pack */
export function factsOf({ manifest, sizeBytes }: Pack, chosen: Record<string, unknown> = {}): PackFacts {
  const { context, dims, provenance, quantization = manifest.quantisation } = manifest;
  return {
    sizeBytes,
    context: wholeNumber(chosen.context) ?? context ?? null,
    dims: dims ?? null,
    weights: wholeNumber(provenance?.weights),
    quantization: quantization ?? null,
    architecture: architectureOf(manifest),
  };
}

/** The block `chat` is the engine's own, which the manifest's schema lets pass. */
function architectureOf(manifest: Manifest): string | null {
  const { chat } = manifest as { chat?: { architecture?: unknown } };
  return typeof chat?.architecture === 'string' ? chat.architecture : null;
}

const wholeNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
