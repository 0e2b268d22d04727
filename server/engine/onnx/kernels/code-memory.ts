/** Memory that holds machine code: written once, then executable and no longer writable. */
import { addressOf, nativeFunction, ort, type Pointer, windowsFunction } from '../library/library.ts';

interface CodeMemory {
  /** Memory to write to; 0 or −1: there is none. */
  allocate(size: number): Pointer | null;
  /** Makes it executable, and known to the processor as code; false: the system does not let. */
  seal(place: Pointer, size: number): boolean;
}

const read = 1;
const write = 2;
const execute = 4;
/** Of memory that is no file's: `MAP_PRIVATE | MAP_ANONYMOUS`, which each system has its own number for. */
const anonymous: Partial<Record<NodeJS.Platform, number>> = { linux: 0x22, darwin: 0x1002 };

/**
 * macOS has memory of its own for code (`MAP_JIT`), but its switch takes the right to run such code from the thread that
 * writes, JavaScript's among it. A program without the hardened runtime, or with `allow-unsigned-executable-memory` as Node
 * and Electron are signed, may do as elsewhere.
 */
function posixMemory(): CodeMemory {
  const map = nativeFunction('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']);
  const protect = nativeFunction('mprotect', 'int', ['void *', 'size_t', 'int']);
  const clear = clearInstructions();
  return {
    allocate: (size) => map(0n, size, read | write, anonymous[process.platform]!, -1, 0) as Pointer,
    seal(place, size) {
      clear?.(place, size);
      return protect(place, size, read | execute) === 0;
    },
  };
}

/** ARM64 holds instructions that were read before apart from what is written; x86-64 sees to it itself. */
function clearInstructions(): ((place: Pointer, size: number) => void) | null {
  if (process.arch !== 'arm64') return null;
  if (process.platform === 'darwin') {
    const invalidate = nativeFunction('sys_icache_invalidate', 'void', ['void *', 'size_t']);
    return (place, size) => invalidate(place, size);
  }
  // A library that onnxruntime needs, so that it is there.
  const clear = nativeFunction('__clear_cache', 'void', ['void *', 'void *'], 'libgcc_s.so.1');
  return (place, size) => clear(place, place + BigInt(size));
}

function windowsMemory(): CodeMemory {
  const [commitAndReserve, readWrite, executeRead] = [0x3000, 4, 0x20];
  const allocate = windowsFunction('VirtualAlloc', 'void *', ['void *', 'size_t', 'uint32_t', 'uint32_t']);
  const protect = windowsFunction('VirtualProtect', 'int', ['void *', 'size_t', 'uint32_t', 'void *']);
  const process = windowsFunction('GetCurrentProcess', 'void *', []);
  const flush = windowsFunction('FlushInstructionCache', 'int', ['void *', 'void *', 'size_t']);
  const former = new Uint32Array(1);
  return {
    allocate: (size) => allocate(0n, size, commitAndReserve, readWrite) as Pointer | null,
    seal: (place, size) =>
      protect(place, size, executeRead, addressOf(former)) !== 0 && flush(process(), place, size) !== 0,
  };
}

let memory: CodeMemory | undefined;

/**
 * Places code; it stays for the life of the process, since a session may call it as long as it lives.
 *
 * @throws Error where the system lets no program make code
 */
export function placeCode(code: Uint8Array): Pointer {
  // The library sets what foreign functions it may load, which must be the first of all.
  const { copyTo } = ort();
  memory ??= process.platform === 'win32' ? windowsMemory() : posixMemory();
  const place = memory.allocate(code.length);
  if (!place || BigInt.asIntN(64, place) === -1n) throw new Error('there is no memory for machine code');
  copyTo(place, code);
  if (!memory.seal(place, code.length)) throw new Error('the system lets no program make machine code');
  return place;
}
