/**
 * A pack's weights read by loads and nothing else, by as many threads as decode: how fast memory gives them. A process of its own, as
 * both sides are: `memory.ts FOLDER THREADS`. Linux with AVX-512 alone.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { kernelVerdict } from '../../../server/engine/onnx/kernels/support.ts';
import { nativeFunction, ort, type Pointer } from '../../../server/engine/onnx/library/library.ts';
import { plainReader } from '../../../server/engine/onnx/providers/read-bandwidth.ts';
import { median } from '../measure.ts';
import { type Answer, cpuClock, serveContender } from './contender.ts';

const [folder = '', threads = '1'] = process.argv.slice(2);
const passes = 8;
/** Times that weights are read in one call: waking the threads takes some 60 µs, which no step's weights wait for. */
const together = 2;

/** The same pages as the model's, which are the file's: what the last cache holds of them is the same as well. */
function mapped(path: string): { address: Pointer; bytes: number } {
  // The library sets what foreign functions it may load, which must be the first of all.
  ort();
  const file = openSync(path, 'r');
  const bytes = fstatSync(file).size;
  const map = nativeFunction('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']);
  const [read, shared] = [1, 1];
  const address = map(0n, bytes, read, shared, file, 0) as Pointer;
  closeSync(file);
  if (BigInt.asIntN(64, address) === -1n) throw new Error(`${path} cannot be mapped`);
  return { address, bytes };
}

/** Bytes a second, whatever is asked. */
async function load(): Promise<Answer> {
  if (process.platform !== 'linux' || !(await kernelVerdict('avx512_vnni')).family)
    throw new Error('plain reading is written in AVX-512, for Linux');
  const { address, bytes } = mapped(join(folder, 'model.data'));
  const read = plainReader(Number(threads));
  return async () => {
    const cpu = cpuClock();
    const times: number[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      const start = performance.now();
      await read(address, bytes, together);
      times.push((performance.now() - start) / together);
    }
    return { rate: (bytes * 1000) / median(times), cpuMs: cpu() / (passes * together) };
  };
}

try {
  await serveContender(async () => ({ ask: await load() }));
} catch (error) {
  process.send!({ absent: (error as Error).message });
}
