/** The messages between the server and one engine host process. Plain structured-clonable data, both ways. */
import type { EngineOptions, EnginePack } from './engine.ts';

/** Engines a host can open; each is a folder of server/engine with an `engine.ts`. */
export const engineKinds = ['chat', 'documents', 'embeddings', 'images', 'moderation', 'threat'] as const;
export type EngineKind = (typeof engineKinds)[number];
/** What a host can run: a pack's engine, or the converter that makes one. */
export type HostKind = EngineKind | 'convert';

export type ToHost =
  | { type: 'open'; engine: HostKind; pack: EnginePack; options: EngineOptions }
  | { type: 'call'; id: number; method: string; params: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'close' };

export interface Failure {
  /** A code of server/errors.ts; `internal_error` for anything an engine did not mean to tell. */
  code: string;
  message: string;
  param: string | null;
}

export type FromHost =
  | { type: 'opened'; info: Record<string, unknown> }
  | { type: 'refused'; failure: Failure }
  | { type: 'item'; id: number; value: unknown }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; failure: Failure }
  | { type: 'memory'; residentMb: number };
