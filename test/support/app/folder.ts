import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder; all of them go when the tests have run (build/check/temporary-folder.ts). */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 't-'));
