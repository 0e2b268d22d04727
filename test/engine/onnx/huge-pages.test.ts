import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hugePage, readInHugePages } from '../../../server/engine/onnx/huge-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-huge-'));

it('leaves a file as it is, whatever its size', async () => {
  for (const size of [0, 5, hugePage, 2 * hugePage + 5]) {
    const path = join(folder, `${size}`);
    const bytes = Buffer.alloc(size, 7);
    writeFileSync(path, bytes);
    await readInHugePages(path);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
});

it('bears a file that is not there', async () => {
  await expect(readInHugePages(join(folder, 'none'))).resolves.toBeUndefined();
});
