/** Linux gives a process the registers of tiles only when asked. */
import { nativeFunction, ort } from '../library/library.ts';

/** arch_prctl(2), and its request for the state component of tiles. */
const archPrctl = 158;
const requestPermission = 0x1023;
const tileData = 18;

/** @throws Error where the system refuses */
export function allowTiles(): void {
  if (process.platform !== 'linux') throw new Error('the registers of AMX are asked of Linux only');
  // The library sets what foreign functions it may load, which must be the first of all.
  ort();
  const call = nativeFunction('syscall', 'long', ['long', 'long', 'long']);
  if (Number(call(archPrctl, requestPermission, tileData)) !== 0)
    throw new Error('the system does not give this process the registers of AMX');
}
