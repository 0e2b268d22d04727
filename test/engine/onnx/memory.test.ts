import { expect, test } from 'vitest';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { addModel } from '../../support/onnx/models.ts';
import { residentMb } from '../../support/resident-mb.ts';

test('10,000 runs of changing shape do not grow the process', async () => {
  await using session = await openSession(addModel(), { memoryPattern: false });
  const run = async (index: number) => {
    const length = 1 + (index % 700);
    using a = Tensor.zeros('float32', [length]);
    // Not closed: the collector is the net.
    const b = Tensor.zeros('float32', [length]);
    const { sum } = await session.run({ a, b });
    if (sum!.dims[0] !== length) throw new Error('wrong shape');
  };
  for (let index = 0; index < 3_000; index++) await run(index);
  const before = await residentMb();
  for (let index = 0; index < 10_000; index++) await run(index);
  // A leak of one OrtValue a run (some 300 bytes with its shape) would be 3 MB; of its data, 14 MB on top.
  expect((await residentMb()) - before).toBeLessThan(12);
});

test('sessions opened and closed do not grow the process', async () => {
  const model = addModel();
  for (let index = 0; index < 50; index++) await (await openSession(model)).close();
  const before = await residentMb();
  for (let index = 0; index < 300; index++) await (await openSession(model)).close();
  expect((await residentMb()) - before).toBeLessThan(12);
});
