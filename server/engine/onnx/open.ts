import { OnnxError } from './errors.ts';
import { checkRuntime } from './library/self-check.ts';
import { loadSession, type Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';

/** Loads a model (`loadSession`) after the library has proved itself. */
export async function openSession(
  model: string | Uint8Array,
  options: SessionOptions = {},
): Promise<Session> {
  await checkRuntime();
  return loadSession(model, options);
}

export interface PlacedSession {
  session: Session;
  /** The provider that serves. */
  provider: string;
  /** Reasons against those before it. */
  refused: { provider: string; detail: string }[];
}

/**
 * Loads a model on the first provider that takes it, the CPU last. A missing provider throws in the library and nothing
 * falls back by itself, so this does.
 * @throws OnnxError of the CPU where no provider takes it
 */
export async function openOnFirst(
  providers: readonly string[],
  model: string | Uint8Array,
  options: Omit<SessionOptions, 'providers'> = {},
): Promise<PlacedSession> {
  const refused: PlacedSession['refused'] = [];
  for (const provider of providers.filter((name) => name !== 'cpu')) {
    try {
      return { session: await openSession(model, { ...options, providers: [provider] }), provider, refused };
    } catch (error) {
      if (!(error instanceof OnnxError)) throw error;
      refused.push({ provider, detail: error.detail });
    }
  }
  return { session: await openSession(model, options), provider: 'cpu', refused };
}
