import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { contractCodes, type Outcome } from '../../support/documents/corpus.ts';
import { dataFolder, hasData } from './helpers.ts';

/** All of them in 20 s on a quiet machine; a busy one gets as far as it gets in 45 s. */
const script = new URL('../../support/documents/corpus.ts', import.meta.url);

test.skipIf(!hasData('doc-pdfjs'))(
  'the PDFs of the development data parse or are refused with a contract error, below 1.5 GB',
  async () => {
    const folders = readdirSync(dataFolder).filter((name) => name.startsWith('doc-'));
    const paths = folders.map((name) => fileURLToPath(new URL(`${name}/`, dataFolder)));
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), '45', ...paths], {
      maxBuffer: 1e8,
    });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { peakMb } = lines.pop() as { peakMb: number };
    const outcomes = lines as Outcome[];
    expect(outcomes.length).toBeGreaterThan(20);
    const refused = outcomes.filter((outcome) => 'code' in outcome);
    for (const outcome of refused) expect(contractCodes).toContain(outcome.code);
    // Fourteen of them are damaged or need a password; more would mean that the reader lost something.
    expect(refused.length).toBeLessThanOrEqual(14);
    expect(peakMb).toBeLessThan(1500);
  },
  180_000,
);
