import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hugePage, readInHugePages } from '../../../server/engine/onnx/huge-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-huge-'));

it('leaves a file as it is, whatever its size', async () => {
  for (const size of [0, 5, hugePage, 2 * hugePage + 5, 65 * hugePage]) {
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

it.skipIf(process.platform !== 'linux')('does not wait for what is no file', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(readInHugePages(pipe)).resolves.toBeUndefined();
  await expect(readInHugePages(folder)).resolves.toBeUndefined();
});

it('leaves out what is larger than memory', async () => {
  const path = join(folder, 'hollow');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 42);
  await expect(readInHugePages(path)).resolves.toBeUndefined();
});
