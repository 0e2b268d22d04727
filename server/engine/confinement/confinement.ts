/** A running host's knowledge of its own confinement: the last step of it, and a test of what the launcher says. */
import { readdirSync } from 'node:fs';
import type { Layers } from './launch-types.ts';
import { closeDoor } from './restrict.ts';

/** `on`, or `partial` or `off` with the reason behind a semicolon. */
export type Confinement = string;

/** @param layers the launcher's last argument; absent where a host was started without it */
export function finishConfinement(layers: string | undefined): Confinement {
  if (layers === undefined) return 'off; it was started without the launcher';
  const { holding, missing } = JSON.parse(layers) as Layers;
  if (missing.length === 0 && process.platform === 'linux') missing.push(...closeAndTry());
  const state = holding.length === 0 ? 'off' : 'partial';
  return missing.length === 0 ? 'on' : `${state}; ${missing.join('; ')}`;
}

/** A layer that does not hold is worse than none: what must be refused is tried. */
function closeAndTry(): string[] {
  try {
    closeDoor();
  } catch (error) {
    return [`the last step failed (${(error as Error).message})`];
  }
  return canListRoot() ? ['landlock does not hold'] : [];
}

function canListRoot(): boolean {
  try {
    readdirSync('/');
    return true;
  } catch {
    return false;
  }
}
