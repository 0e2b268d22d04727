import { expect, it } from 'vitest';
import { kernelVerdict } from '../../../server/engine/onnx/kernels/support.ts';
import { addressOf } from '../../../server/engine/onnx/library/library.ts';
import { plainReader } from '../../../server/engine/onnx/providers/read-bandwidth.ts';

const { family } = await kernelVerdict('avx512_vnni');

it.skipIf(process.platform !== 'linux' || !family)(
  'reads what there is for each thread, and ends where there is nothing',
  async () => {
    const bytes = new Uint8Array(4096).fill(1);
    const read = plainReader(4);
    for (const [length, times] of [
      [4096, 2],
      [1000, 1],
      [0, 1],
      [4096, 0],
    ] as const)
      expect(await read(addressOf(bytes), length, times)).toHaveLength(length * times >= 2048 ? 4 : 0);
  },
);
