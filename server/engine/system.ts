/** System calls through the C library; Linux alone. */
import { createRequire } from 'node:module';

type Argument = number | bigint;
type NativeFunction = (...args: unknown[]) => unknown;

export class SystemError extends Error {
  readonly errno: number;
  constructor(what: string, errno: number) {
    super(`${what}: errno ${errno}`);
    this.errno = errno;
  }
}

interface Koffi {
  config(): { sync_stack_size: number };
  config(sizes: { sync_stack_size: number; async_stack_size: number }): unknown;
  load(file: null): { func(name: string, result: string, parameters: string[]): NativeFunction };
  errno(): number;
  address(buffer: ArrayBufferLike): bigint;
}

export interface System {
  /** @throws SystemError */
  call(what: string, number: number, ...args: Argument[]): number;
  /** @throws SystemError */
  prctl(option: number, ...args: Argument[]): void;
  /** The bytes are kept for the life of the process: a few hundred of them. */
  addressOf(bytes: Uint8Array): bigint;
  /** The path as nothing but a place, for rules about it. Null where there is no such path. */
  openPath(path: string): number | null;
  close(fd: number): void;
  /** Lets a descriptor live on in the program that is executed next. */
  keepOpen(fd: number): void;
  /** Runs another program in this process, from this thread; the others end. @throws SystemError when it cannot be run */
  execute(path: string, args: string[], env: string[]): never;
}

const stackBytes = 8 << 20;
const openFlags = { path: 0o10000000, closeOnExec: 0o2000000 };
const setDescriptorFlags = 2;

/** @throws where the system's C library cannot be called */
export function openSystem(): System {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  // As onnxruntime needs them (onnx/library/library.ts): they are fixed from the first library on.
  if (koffi.config().sync_stack_size !== stackBytes)
    koffi.config({ sync_stack_size: stackBytes, async_stack_size: stackBytes });
  const library = koffi.load(null);
  const six = Array<string>(6).fill('int64');
  const syscall = library.func('syscall', 'int64', ['int64', ...six]);
  const open = library.func('open', 'int', ['str', 'int']);
  const close = library.func('close', 'int', ['int']);
  const fcntl = library.func('fcntl', 'int', ['int', 'int', 'int']);
  const execve = library.func('execve', 'int', ['str', 'void *', 'void *']);
  const prctl = library.func('prctl', 'int', ['int', 'uint64', 'uint64', 'uint64', 'uint64']);
  const kept: Uint8Array[] = [];
  const addressOf = (bytes: Uint8Array): bigint => {
    kept.push(bytes);
    return koffi.address(bytes.buffer) + BigInt(bytes.byteOffset);
  };
  /** char *[] with its closing null. */
  const stringList = (texts: string[]): bigint => {
    const addresses = texts.map((text) => addressOf(new TextEncoder().encode(`${text}\0`)));
    return addressOf(new Uint8Array(BigUint64Array.from([...addresses, 0n]).buffer));
  };
  const fill = (args: Argument[], count: number) => [
    ...args,
    ...Array<Argument>(count - args.length).fill(0),
  ];
  return {
    call(what, number, ...args) {
      const result = Number(syscall(number, ...fill(args, 6)));
      if (result < 0) throw new SystemError(what, koffi.errno());
      return result;
    },
    prctl(option, ...args) {
      if ((prctl(option, ...fill(args, 4)) as number) < 0) throw new SystemError('prctl', koffi.errno());
    },
    addressOf,
    openPath(path) {
      const fd = open(path, openFlags.path | openFlags.closeOnExec) as number;
      return fd < 0 ? null : fd;
    },
    close: (fd) => void close(fd),
    keepOpen: (fd) => void fcntl(fd, setDescriptorFlags, 0),
    execute(path, args, env) {
      execve(path, stringList(args), stringList(env));
      throw new SystemError('execve', koffi.errno());
    },
  };
}
