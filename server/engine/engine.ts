/**
 * An engine as the process that hosts it sees it (main.ts beside this file).
 *
 * A host process loads one pack, opens one engine for it and then answers calls by method name. An engine never sees
 * HTTP, keys or SQLite; it gets validated native values and returns plain structured-clonable ones.
 */

import type { Contract, HostKind, ItemOf, MethodOf, ParamsOf, ResultOf } from './contract.ts';
import type { UserRules } from './threat/types.ts';

/** A pack's folder and manifest. */
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
  /** Of a conversion, whose folder is the one it writes to: the file or folder it reads. */
  source?: string;
  /** Packs that answer single tasks in its place, by task; only engines that have tasks are given any. */
  tasks?: Record<string, EnginePack>;
}

/** Families of processors that there are kernels of quantized products for; the first that serves is taken. */
export const kernelFamilies = [
  'amx',
  'avx512_vnni',
  'avx_vnni',
  'avx2',
  'neon_i8mm',
  'neon_dotprod',
] as const;
export type KernelFamily = (typeof kernelFamilies)[number];

/** True: the first family that serves; false: none. */
export type CustomKernels = boolean | KernelFamily;

export interface EngineOptions {
  /** Intra-op threads for tensor work. */
  threads: number;
  /** Execution providers in order of preference; `cpu` is always last. */
  providers: string[];
  /** Default true: chat's quantized matrix products run on custom kernels where these serve. */
  customKernels?: CustomKernels;
  /** Opens nothing where the host is not confined. */
  requireConfinement?: boolean;
  /** For the threat engine: what the person imported and switched off. */
  rules?: UserRules;
}

export interface CallContext {
  /** Aborts when the caller is gone; every method stops at its next step. */
  signal: AbortSignal;
  /** A host before this one was ended while it had the call. */
  again?: boolean;
}

/** A method's return, as the contract has it: once, or item by item. */
export type Answer<Kind extends HostKind, Method extends MethodOf<Kind>> = Contract[Kind][Method] extends {
  item: unknown;
}
  ? AsyncIterable<ItemOf<Kind, Method>>
  : Promise<ResultOf<Kind, Method>>;

export type EngineMethods<Kind extends HostKind> = {
  [M in MethodOf<Kind>]: (params: ParamsOf<Kind, M>, context: CallContext) => Answer<Kind, M>;
};

/** Facts for the console. */
export type EngineInfo = {
  /** The execution provider that serves. */
  provider?: string;
  /** Better ones that do not, and why. */
  refusedProviders?: { provider: string; detail: string }[];
  /** Set by the host itself: `on`; `partial` or `off` and the reason, where it is not fully confined. */
  confinement?: string;
} & { [fact: string]: Fact | undefined };
type Fact = string | number | boolean | null | Fact[] | { [key: string]: Fact };

export interface Engine<Kind extends HostKind> {
  methods: EngineMethods<Kind>;
  /** The smoke test of an import: throws what is wrong with the pack. An engine without one is content with having opened. */
  check?(context: CallContext): Promise<unknown>;
  info: EngineInfo;
  close(): Promise<void>;
}

/** Each engine folder exports one of these as `openEngine`. */
export type OpenEngine<Kind extends HostKind> = (
  pack: EnginePack,
  options: EngineOptions,
  /** Asked for by an engine whose process may have come to harm: answers given before still arrive, other calls are asked again. */
  replaceHost?: () => void,
) => Promise<Engine<Kind>>;

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
