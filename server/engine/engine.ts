/**
 * What an engine is to the process that hosts it (main.ts beside this file).
 *
 * A host process loads one pack, opens one engine for it and then answers calls by method name. An engine never sees
 * HTTP, keys or SQLite; it gets validated native values and returns plain structured-clonable ones.
 */

/** Where a pack's files lie and what its manifest says. */
export interface PackFolder {
  /** Absolute folder of the pack. */
  folder: string;
  /** The checked manifest (server/packs/manifest.ts), as data. */
  manifest: Record<string, unknown>;
}

/** A pack as an engine sees it. */
export interface EnginePack extends PackFolder {
  /** `id@version`, as reported in `x-model-pack`. */
  ref: string;
  /** The starter pack of its role, for the word lists, tables and templates that it does not bring; absent in a starter. */
  starter?: PackFolder;
  /** Packs that answer single tasks in its place, by task; only engines that have tasks are given any. */
  tasks?: Record<string, EnginePack>;
}

export interface EngineOptions {
  /** Intra-op threads for tensor work. */
  threads: number;
  /** Execution providers in order of preference; `cpu` is always last. */
  providers: string[];
  /** For the threat engine: what the person imported and switched off. */
  rules?: KeptRules;
}

export interface KeptRules {
  /** Sigma files in the order they were imported; where two bring a rule of one id, the later holds. */
  files: { name: string; text: string }[];
  /** Ids of rules that are off. */
  disabled: string[];
}

export interface CallContext {
  /** Aborts when the caller is gone; every method stops at its next step. */
  signal: AbortSignal;
}

/** A method answers once, or item by item (tokens, progress). A generator's items are all delivered, in order. */
export type EngineMethod = (params: never, context: CallContext) => Promise<unknown> | AsyncIterable<unknown>;

export interface Engine {
  /** By name. `check`, where there is one, is the smoke test of an import: it throws what is wrong with the pack. */
  methods: Record<string, EngineMethod>;
  /** Facts for the console, e.g. the execution provider that serves. */
  info: Record<string, unknown>;
  close(): Promise<void>;
}

/** Each engine folder exports one of these as `openEngine`. */
export type OpenEngine = (pack: EnginePack, options: EngineOptions) => Promise<Engine>;

/**
 * A refusal that the caller caused or must hear about. `code` is one of the codes of server/errors.ts; anything else
 * thrown by an engine reaches the client as internal_error without its text.
 */
export class EngineError extends Error {
  readonly code: string;
  readonly param: string | null;
  constructor(code: string, message: string, param: string | null = null) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.param = param;
  }
}
