import { type CustomOperators, operatorDomainOf } from './kernels/custom-op.ts';
import { NativeHandle } from './library/handle.ts';
import { cPath, cString, ort, pointerArray } from './library/library.ts';

export type GraphLevel = 'none' | 'basic' | 'extended' | 'layout' | 'all';

/** An execution provider by its short name, with its own options where it takes any. */
export interface ProviderSpec {
  name: string;
  options?: Record<string, string>;
}

export interface SessionOptions {
  /** Its part in the pack; a call may have a graph that has one run elsewhere (elsewhere.ts). */
  graph?: string;
  /** Threads of one operator; default 1. */
  threads?: number;
  graphLevel?: GraphLevel;
  /** File to write the optimized model to. */
  optimizedModelPath?: string;
  /** `session.*` and `ep.*` entries of onnxruntime_session_options_config_keys.h. */
  config?: Record<string, string>;
  /** Providers in order; `cpu` is always there, last. */
  providers?: readonly (string | ProviderSpec)[];
  /** Fixes symbolic dimensions by name. */
  dimensions?: Record<string, number>;
  /** Contents of external data files, by the name the model calls them. Copied while loading. */
  externalFiles?: Record<string, Uint8Array>;
  /** Plans the memory of a run from the shapes of the first: off for inputs of ever-changing shape. Default on. */
  memoryPattern?: boolean;
  /** Keeps freed memory for the next run. Default on. */
  arena?: boolean;
  /** Custom kernels that the graph uses, by the code of one family of processors. */
  kernels?: CustomOperators;
  /** Prefix of a profile file. */
  profilePath?: string;
}

const graphLevels: Record<GraphLevel, number> = { none: 0, basic: 1, extended: 2, layout: 3, all: 99 };

/** Names the library knows a provider by, where they differ from ours. CUDA has functions of its own. */
const registeredNames: Record<string, string> = {
  webgpu: 'WebGPU',
  coreml: 'CoreML',
  directml: 'DML',
};

function keyValueArrays(entries: Record<string, string>) {
  return {
    keys: pointerArray(Object.keys(entries).map(cString)),
    values: pointerArray(Object.values(entries).map(cString)),
    count: Object.keys(entries).length,
  };
}

function appendCuda(options: bigint, entries: Record<string, string>): void {
  const { call, create, release } = ort();
  const cuda = create('CreateCUDAProviderOptions');
  try {
    const { keys, values, count } = keyValueArrays(entries);
    call('UpdateCUDAProviderOptions', cuda, keys, values, count);
    call('SessionOptionsAppendExecutionProvider_CUDA_V2', options, cuda);
  } finally {
    release('ReleaseCUDAProviderOptions', cuda);
  }
}

function appendProvider(options: bigint, spec: string | ProviderSpec): void {
  const { name, options: entries = {} } = typeof spec === 'string' ? { name: spec } : spec;
  if (name === 'cpu') return;
  if (name === 'cuda') {
    appendCuda(options, entries);
    return;
  }
  const registered = registeredNames[name];
  if (!registered) throw new TypeError(`unknown execution provider: ${name}`);
  const { keys, values, count } = keyValueArrays(entries);
  ort().call('SessionOptionsAppendExecutionProvider', options, registered, keys, values, count);
}

function addExternalFiles(options: bigint, files: Record<string, Uint8Array>): void {
  const names = pointerArray(Object.keys(files).map(cPath));
  const contents = Object.values(files);
  const lengths = BigUint64Array.from(contents, (content) => BigInt(content.byteLength));
  const buffers = pointerArray(contents);
  ort().call('AddExternalInitializersFromFilesInMemory', options, names, buffers, lengths, contents.length);
}

function checkedThreads(threads: number): number {
  if (!Number.isInteger(threads) || threads < 0 || threads > 1024) {
    throw new RangeError(`threads must be a whole number, 0 to 1024, not ${threads}`);
  }
  return threads;
}

function apply(options: bigint, settings: SessionOptions): void {
  const { call } = ort();
  call('SetSessionLogSeverityLevel', options, 4);
  call('SetIntraOpNumThreads', options, checkedThreads(settings.threads ?? 1));
  call('SetInterOpNumThreads', options, 1);
  call('SetSessionGraphOptimizationLevel', options, graphLevels[settings.graphLevel ?? 'all']);
  if (settings.memoryPattern === false) call('DisableMemPattern', options);
  if (settings.arena === false) call('DisableCpuMemArena', options);
  if (settings.optimizedModelPath !== undefined) {
    call('SetOptimizedModelFilePath', options, cPath(settings.optimizedModelPath));
  }
  if (settings.profilePath !== undefined) call('EnableProfiling', options, cPath(settings.profilePath));
  for (const [key, value] of Object.entries(settings.config ?? {})) {
    call('AddSessionConfigEntry', options, key, value);
  }
  for (const [name, size] of Object.entries(settings.dimensions ?? {})) {
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`not a dimension: ${size}`);
    call('AddFreeDimensionOverrideByName', options, name, size);
  }
  if (Object.keys(settings.externalFiles ?? {}).length > 0)
    addExternalFiles(options, settings.externalFiles!);
  const { attentions = [], chains = [], rows = [], shapes = [] } = settings.kernels ?? {};
  if (settings.kernels && shapes.length + attentions.length + rows.length + chains.length > 0)
    call('AddCustomOpDomain', options, operatorDomainOf(settings.kernels));
  for (const provider of settings.providers ?? []) appendProvider(options, provider);
}

/**
 * Native session options; close after the session is made.
 * @throws OnnxError when a provider is not there, TypeError or RangeError for an option that makes no sense
 */
export function createSessionOptions(settings: SessionOptions): NativeHandle {
  const handle = new NativeHandle(ort().create('CreateSessionOptions'), 'ReleaseSessionOptions');
  try {
    apply(handle.address, settings);
    return handle;
  } catch (error) {
    void handle.close();
    throw error;
  }
}
