/** Memory that holds machine code: written once, then executable and no longer writable. */
import { addressOf, nativeFunction, type Pointer } from '../library/library.ts';

/** Linux's numbers. */
const read = 1;
const write = 2;
const execute = 4;
const privateAnonymous = 0x22;

const loadFunctions = () => ({
  map: nativeFunction('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']),
  protect: nativeFunction('mprotect', 'int', ['void *', 'size_t', 'int']),
  copy: nativeFunction('memcpy', 'void *', ['void *', 'void *', 'size_t']),
});
let functions: ReturnType<typeof loadFunctions> | undefined;

/**
 * Places code; it stays for the life of the process, since a session may call it as long as it lives.
 *
 * @throws Error where the system lets no program make code
 */
export function placeCode(code: Uint8Array): Pointer {
  functions ??= loadFunctions();
  const { copy, map, protect } = functions;
  const place = map(0n, code.length, read | write, privateAnonymous, -1, 0) as Pointer;
  if (BigInt.asIntN(64, place) === -1n) throw new Error('there is no memory for machine code');
  copy(place, addressOf(code), code.length);
  if (protect(place, code.length, read | execute) !== 0)
    throw new Error('the system lets no program make machine code');
  return place;
}
