/**
 * The raw binding: onnxruntime's C API, called through koffi. Nothing else in the project knows a function index, a
 * native signature or where the shared library lies; everything above it deals in checked values and handles.
 *
 * onnxruntime-node's own binding is not used: it copies every output of every run and blocks the event loop while a model
 * loads or runs (server/engine/onnx/README.md).
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import koffi, { type LibraryHandle } from 'koffi';
import { OnnxError, ortCodeOf } from '../errors.ts';
import { apiIndex, apiVersion } from './api-index.ts';

/** The version this binding is made for; another one is refused at load. */
export const pinnedVersion = '1.30.0';

/** An address; 0n is null. */
export type Pointer = bigint;
export type NativeArgument = Pointer | number | string | ArrayBufferView;

type ApiName = keyof typeof apiIndex;

const pointer = 'void *';
const path = 'void *';

/** Functions that return a status. Where the C declaration has an out parameter it is last, as in `create()`. */
const statusFunctions = {
  CreateEnv: ['int', 'str', pointer],
  DisableTelemetryEvents: [pointer],
  CreateSession: [pointer, path, pointer, pointer],
  CreateSessionFromArray: [pointer, pointer, 'size_t', pointer, pointer],
  Run: [pointer, pointer, pointer, pointer, 'size_t', pointer, 'size_t', pointer],
  CreateSessionOptions: [pointer],
  SetOptimizedModelFilePath: [pointer, path],
  EnableProfiling: [pointer, path],
  DisableMemPattern: [pointer],
  DisableCpuMemArena: [pointer],
  SetSessionLogSeverityLevel: [pointer, 'int'],
  SetSessionGraphOptimizationLevel: [pointer, 'int'],
  SetIntraOpNumThreads: [pointer, 'int'],
  SetInterOpNumThreads: [pointer, 'int'],
  AddSessionConfigEntry: [pointer, 'str', 'str'],
  AddFreeDimensionOverrideByName: [pointer, 'str', 'int64_t'],
  AddExternalInitializersFromFilesInMemory: [pointer, pointer, pointer, pointer, 'size_t'],
  SessionOptionsAppendExecutionProvider: [pointer, 'str', pointer, pointer, 'size_t'],
  SessionOptionsAppendExecutionProvider_CUDA_V2: [pointer, pointer],
  CreateCUDAProviderOptions: [pointer],
  UpdateCUDAProviderOptions: [pointer, pointer, pointer, 'size_t'],
  GetAvailableProviders: [pointer, pointer],
  ReleaseAvailableProviders: [pointer, 'int'],
  SessionGetInputCount: [pointer, pointer],
  SessionGetOutputCount: [pointer, pointer],
  SessionGetInputName: [pointer, 'size_t', pointer, pointer],
  SessionGetOutputName: [pointer, 'size_t', pointer, pointer],
  SessionGetInputTypeInfo: [pointer, 'size_t', pointer],
  SessionGetOutputTypeInfo: [pointer, 'size_t', pointer],
  CastTypeInfoToTensorInfo: [pointer, pointer],
  GetTensorElementType: [pointer, pointer],
  GetDimensionsCount: [pointer, pointer],
  GetDimensions: [pointer, pointer, 'size_t'],
  GetSymbolicDimensions: [pointer, pointer, 'size_t'],
  GetTensorTypeAndShape: [pointer, pointer],
  CreateRunOptions: [pointer],
  RunOptionsSetTerminate: [pointer],
  CreateTensorAsOrtValue: [pointer, pointer, 'size_t', 'int', pointer],
  CreateTensorWithDataAsOrtValue: [pointer, pointer, 'size_t', pointer, 'size_t', 'int', pointer],
  GetTensorMutableData: [pointer, pointer],
  CreateMemoryInfo: ['str', 'int', 'int', 'int', pointer],
  CreateAllocator: [pointer, pointer, pointer],
  CreateCpuMemoryInfo: ['int', 'int', pointer],
  GetAllocatorWithDefaultOptions: [pointer],
  AllocatorFree: [pointer, pointer],
  CreateCustomOpDomain: ['str', pointer],
  CustomOpDomain_Add: [pointer, pointer],
  AddCustomOpDomain: [pointer, pointer],
} as const satisfies Partial<Record<ApiName, readonly string[]>>;

type StatusFunction = keyof typeof statusFunctions;
export type ReleaseFunction = Extract<Exclude<ApiName, StatusFunction>, `Release${string}`>;

type NativeFunction = ReturnType<LibraryHandle['func']>;

function libraryPath(): string {
  const root = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const files: Partial<Record<NodeJS.Platform, string>> = {
    darwin: `libonnxruntime.${pinnedVersion}.dylib`,
    linux: 'libonnxruntime.so.1',
    win32: 'onnxruntime.dll',
  };
  const file = files[process.platform];
  if (!file) throw new OnnxError('not_implemented', `no onnxruntime for ${process.platform}`);
  // A shared library cannot be loaded from inside Electron's archive; the packager unpacks it beside.
  return join(root, 'bin/napi-v6', process.platform, process.arch, file).replace(
    'app.asar',
    'app.asar.unpacked',
  );
}

/** koffi unloads a library whose handle is collected, whatever still points into it. */
const loaded: LibraryHandle[] = [];

/** koffi runs native code on stacks of its own; its 128 KiB for async calls are too few for a graph optimizer. */
const stacks = { sync_stack_size: 8 << 20, async_stack_size: 8 << 20 };

function loadShared(file: string | null): LibraryHandle {
  // Fixed by the first library that is loaded, whichever it is; a host's confinement has set them before its own.
  if (koffi.config().sync_stack_size !== stacks.sync_stack_size) koffi.config(stacks);
  const handle = koffi.load(file);
  loaded.push(handle);
  return handle;
}

function loadMemcpy(): NativeFunction {
  return process.platform === 'win32'
    ? windowsFunction('RtlMoveMemory', 'void', [pointer, pointer, 'size_t'])
    : nativeFunction('memcpy', pointer, [pointer, pointer, 'size_t']);
}

/** A function of the C library, or of another one that the system finds by its name; not on Windows. */
export const nativeFunction = (
  name: string,
  result: string,
  parameters: string[],
  library: string | null = null,
): NativeFunction => loadShared(library).func(name, result, parameters);

let yielding: Pointer | undefined;

/** Address of the function that lets other threads have the processor. @throws OnnxError where the system names none */
export function yieldAddress(): Pointer {
  yielding ??= findYield();
  if (!yielding) throw new OnnxError('not_implemented', 'the system has no function that yields');
  return yielding;
}

function findYield(): Pointer {
  // All that is loaded: macOS has a number of its own for it.
  const all = process.platform === 'darwin' ? BigInt.asUintN(64, -2n) : 0n;
  if (process.platform !== 'win32')
    return nativeFunction('dlsym', pointer, [pointer, 'str'])(all, 'sched_yield');
  const library = windowsFunction('GetModuleHandleA', pointer, ['str'])('kernel32.dll');
  return windowsFunction('GetProcAddress', pointer, [pointer, 'str'])(library, 'SwitchToThread');
}

/** A function of Windows. */
export const windowsFunction = (name: string, result: string, parameters: string[]): NativeFunction =>
  loadShared('kernel32.dll').func(name, result, parameters);

/** The function that lies at an address. */
export const functionAtAddress = (address: Pointer, result: string, parameters: string[]): NativeFunction =>
  koffi.decode(address, koffi.proto(result, parameters));

/**
 * Read by the library when its environment is made, which is when its telemetry would start: `DisableTelemetryEvents` comes
 * too late. Hosts are started with it (server/config.ts); here it covers every other process. On Windows the C library
 * keeps no second copy of the environment that matters: the runtime asks the system.
 */
function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
  // A worker thread's process.env is a copy.
  if (process.platform !== 'win32')
    nativeFunction('setenv', 'int', ['str', 'str', 'int'])('ORT_DISABLE_TELEMETRY', '1', 1);
}

function loadTable(): { table: Pointer[]; version: string } {
  disableTelemetry();
  const base = loadShared(libraryPath()).func('OrtGetApiBase', pointer, [])() as Pointer;
  const [getApi, getVersion] = koffi.decode(base, koffi.array(pointer, 2)) as [Pointer, Pointer];
  const version = koffi.decode(getVersion, koffi.proto('str', []))() as string;
  if (version !== pinnedVersion) {
    throw new OnnxError('fail', `onnxruntime ${pinnedVersion} is expected, found ${version}`);
  }
  const api = koffi.decode(getApi, koffi.proto(pointer, ['uint32_t']))(apiVersion) as Pointer;
  const size = Math.max(...Object.values(apiIndex)) + 1;
  return { table: koffi.decode(api, koffi.array(pointer, size)) as Pointer[], version };
}

function bindFunctions(table: Pointer[]): Record<ApiName, NativeFunction> {
  const bind = (name: ApiName): NativeFunction => {
    const address = table[apiIndex[name]]!;
    if (name === 'GetErrorCode') return koffi.decode(address, koffi.proto('int', [pointer]));
    if (name === 'GetErrorMessage') return koffi.decode(address, koffi.proto('str', [pointer]));
    const signature = (statusFunctions as Partial<Record<ApiName, readonly string[]>>)[name];
    return koffi.decode(
      address,
      signature ? koffi.proto(pointer, [...signature]) : koffi.proto('void', [pointer]),
    );
  };
  const names = Object.keys(apiIndex) as ApiName[];
  return Object.fromEntries(names.map((name) => [name, bind(name)])) as Record<ApiName, NativeFunction>;
}

type OrtLibrary = ReturnType<typeof openLibrary>;

/** Ways to call: at once or on a worker thread, failures thrown. */
function createCalls(functions: Record<ApiName, NativeFunction>) {
  const check = (status: Pointer | null): void => {
    if (!status) return;
    const error = new OnnxError(
      ortCodeOf(functions.GetErrorCode(status) as number),
      functions.GetErrorMessage(status) as string,
    );
    functions.ReleaseStatus(status);
    throw error;
  };

  const call = (name: StatusFunction, ...args: NativeArgument[]): void =>
    check(functions[name](...args.map(toNative)));

  /** Calls a function whose last parameter is an out pointer, and returns what it wrote. */
  const create = (name: StatusFunction, ...args: NativeArgument[]): Pointer => {
    const out = new BigUint64Array(1);
    call(name, ...args, out);
    return out[0]!;
  };

  /** As `call`, on a worker thread. Views among the arguments live until it has returned; they are used in place. */
  const callAsync = (name: StatusFunction, ...args: NativeArgument[]): Promise<void> =>
    new Promise((resolve, reject) => {
      functions[name].async(...args.map(toNative), (error: Error | null, status: Pointer | null) => {
        // This use is what keeps the views reachable while native code works on their memory.
        args.length = 0;
        try {
          if (error) throw error;
          check(status);
          resolve();
        } catch (failure) {
          reject(failure);
        }
      });
    });

  const release = (name: ReleaseFunction, address: Pointer): void => {
    functions[name](address);
  };

  return { call, create, callAsync, release };
}

function openLibrary() {
  const { table, version } = loadTable();
  /** Address of a function, for code that calls it without us. */
  const functionAt = (name: ApiName): Pointer => table[apiIndex[name]]!;
  const calls = createCalls(bindFunctions(table));
  const { call, create } = calls;
  const memcpy = loadMemcpy();

  // Level 4, fatal: what goes wrong is thrown, and the library's log lines would name files.
  const env = create('CreateEnv', 4, 'lokal');
  call('DisableTelemetryEvents', env);
  const cpuMemory = create('CreateCpuMemoryInfo', 0, 0);
  const allocator = create('GetAllocatorWithDefaultOptions');

  /** Reads a string that the default allocator owns, and frees it. */
  const takeString = (address: Pointer): string => {
    const text = koffi.decode.string(address);
    call('AllocatorFree', allocator, address);
    return text;
  };

  /** Copies `target.byteLength` bytes from an address. */
  const copy = (target: ArrayBufferView, source: Pointer): void => {
    if (target.byteLength > 0) memcpy(addressOf(target), source, target.byteLength);
  };

  /** Copies a view's bytes to an address. */
  const copyTo = (target: Pointer, source: ArrayBufferView): void => {
    if (source.byteLength > 0) memcpy(target, addressOf(source), source.byteLength);
  };

  return { ...calls, functionAt, version, env, cpuMemory, allocator, takeString, copy, copyTo };
}

let library: OrtLibrary | undefined;

/** The library, loaded at first use. Throws OnnxError when it is not the pinned version. */
export function ort(): OrtLibrary {
  library ??= openLibrary();
  return library;
}

/**
 * Address of a view's bytes. Stable for the life of its buffer, which must not be transferred or resized. Asking for
 * the buffer is what makes it so: V8 keeps small typed arrays on its moving heap until somebody does.
 */
export function addressOf(view: ArrayBufferView): Pointer {
  return koffi.address(view.buffer) + BigInt(view.byteOffset);
}

const pinned: ArrayBufferView[] = [];

/** The address of a view that is kept for the life of the process. */
export function pinnedAddress(view: ArrayBufferView): Pointer {
  pinned.push(view);
  return addressOf(view);
}

function toNative(argument: NativeArgument): Pointer | number | string {
  return ArrayBuffer.isView(argument) ? addressOf(argument) : argument;
}

export function stringAt(address: Pointer): string {
  return koffi.decode.string(address);
}

/** The execution providers that the library was built with, by its own names. */
export function availableProviders(): string[] {
  const { call } = ort();
  const list = new BigUint64Array(1);
  const count = new Int32Array(1);
  call('GetAvailableProviders', list, count);
  try {
    return Array.from(
      { length: count[0]! },
      (_, index) => koffi.decode(list[0]!, index * 8, 'str') as string,
    );
  } finally {
    call('ReleaseAvailableProviders', list[0]!, count[0]!);
  }
}

/** A NUL-terminated UTF-8 string; keep the result alive as long as the library may read it. */
export function cString(text: string): Uint8Array {
  return Buffer.from(`${text}\0`, 'utf8');
}

/** A NUL-terminated path in the platform's character type (ORTCHAR_T). */
export function cPath(text: string): Uint8Array {
  return Buffer.from(`${text}\0`, process.platform === 'win32' ? 'utf16le' : 'utf8');
}

/** An array of pointers to views, which it keeps alive. */
export function pointerArray(views: readonly ArrayBufferView[]): BigUint64Array & { views?: unknown } {
  const pointers: BigUint64Array & { views?: unknown } = new BigUint64Array(Math.max(1, views.length));
  for (const [index, view] of views.entries()) pointers[index] = addressOf(view);
  pointers.views = views;
  return pointers;
}
