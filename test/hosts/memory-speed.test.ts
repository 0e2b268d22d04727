import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemorySpeed } from '../../server/hosts/memory-speed.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lokal-speed-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('memory is measured once in a process of its own, kept, and measured anew on another machine', async () => {
  const path = join(home, 'memory-speed.json');
  const measured = await createMemorySpeed(home, process.env).read();
  // The slowest memory of the last twenty years, and far beyond the fastest.
  expect(measured).toBeGreaterThan(5e8);
  expect(measured).toBeLessThan(5e12);
  const kept = JSON.parse(await readFile(path, 'utf8')) as { signature: string };
  await writeFile(path, JSON.stringify({ ...kept, bytesPerSecond: 7 }));
  expect(await createMemorySpeed(home, process.env).read()).toBe(7);
  expect(await createMemorySpeed(home, process.env).read(true)).toBeGreaterThan(5e8);
  await writeFile(path, JSON.stringify({ signature: 'another', bytesPerSecond: 7 }));
  expect(await createMemorySpeed(home, process.env).read()).toBeGreaterThan(5e8);
  expect(existsSync(path)).toBe(true);
}, 120_000);
