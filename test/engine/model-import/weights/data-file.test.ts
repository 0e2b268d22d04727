import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DataFile } from '../../../../server/engine/model-import/weights/data-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-data-file-'));

it('has regions as they were written, in chunks of any size and in any turn', async () => {
  const file = await DataFile.create(join(folder, 'model.data'));
  const contents = [5_000_003, 70_000, 33, 2 << 20].map((length, region) =>
    Uint8Array.from({ length }, (_, at) => (at * 31 + region * 7) & 255),
  );
  const regions = contents.map(({ length }) => file.reserve(length));
  const done = contents.map(() => 0);
  for (let turn = 0; done.some((at, region) => at < contents[region]!.length); turn += 1) {
    const region = turn % contents.length;
    const [from, content] = [done[region]!, contents[region]!];
    const chunk = content.subarray(from, from + 1 + ((turn * 40_961) % 900_000));
    await regions[region]!.write(chunk);
    done[region] = from + chunk.length;
  }
  await file.close();
  const bytes = readFileSync(join(folder, 'model.data'));
  for (const [region, { length, offset }] of regions.entries())
    expect(Buffer.compare(bytes.subarray(offset, offset + length), contents[region]!)).toBe(0);
});

it('refuses more than a region holds', async () => {
  const file = await DataFile.create(join(folder, 'small.data'));
  await expect(file.reserve(4).write(new Uint8Array(5))).rejects.toThrow(RangeError);
  await file.close();
});
