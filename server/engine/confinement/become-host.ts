/** Replaces this process by Node running the host. */

import { openSystem } from '../system.ts';
import type { Layers } from './launch-types.ts';

/** Standard streams and the channel, which is the one after them (server/hosts/port.ts). */
const inherited = [0, 1, 2, 3];
const channel = 3;

/** Does not return, unless it cannot be done: then the host runs here, and the layers say what that costs. */
export function becomeHost(main: string, layers: Layers): void {
  try {
    const system = openSystem();
    for (const descriptor of inherited) system.keepOpen(descriptor);
    const args = [process.execPath, ...process.execArgv, main, JSON.stringify(layers)];
    system.execute(process.execPath, args, environment());
  } catch (error) {
    layers.missing.push(`threads that were there before: ${(error as Error).message}`);
  }
}

/** Node takes the names of the channel out of its environment when it has read them. */
function environment(): string[] {
  const channelNames = { NODE_CHANNEL_FD: String(channel), NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' };
  const all = { ...process.env, ...(process.connected ? channelNames : {}) };
  return Object.entries(all).map(([name, value]) => `${name}=${value}`);
}
