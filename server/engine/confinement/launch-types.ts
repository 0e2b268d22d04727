/** The launcher's task and its outcome: shared by every part of the confinement. */
import type { HostGrant } from '../host-grant.ts';

export interface Launch {
  main: string;
  /** LD_LIBRARY_PATH, where a person's drivers and libraries may lie. */
  libraryPath: string;
  grant: HostGrant;
  /** Why it is not to be confined; null: it is. */
  off: string | null;
}

/** The restrictions that hold, and why the rest do not. */
export interface Layers {
  holding: string[];
  missing: string[];
}
