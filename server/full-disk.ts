/** A disk without room for what a command writes. */
import { StartError } from './start-error.ts';

export class FullDiskError extends StartError {
  /** @param place what could not be written, or the folder it was to be in */
  constructor(place: string) {
    super(`${place}: there is no room on its disk; free some space and run the command again.`);
  }
}

/** ENOSPC and EDQUOT of the system, SQLITE_FULL of a database. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes((error as NodeJS.ErrnoException).code ?? '');
