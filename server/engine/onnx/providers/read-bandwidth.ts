/** Speed at which this machine's memory is read: the limit of decoding, where every step reads every weight. */
import koffi from 'koffi';
import { createGraph } from '../graph/graph.ts';
import { Assembler, at, newLabel, r8, rcx, rdi, rdx, rsi } from '../kernels/assembler.ts';
import { placeCode } from '../kernels/code-memory.ts';
import { kernelVerdict } from '../kernels/support.ts';
import { addressOf, type Pointer } from '../library/library.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';

/** Far beyond any cache. */
const rows = 256;
const cols = 512 * 1024;

/** Bytes a second: the median of some runs in which `threads` threads read 512 MB together. */
export async function measureReadBandwidth(threads: number): Promise<number> {
  const { close, run } =
    process.platform === 'linux' && (await kernelVerdict('avx512_vnni')).family
      ? await plainReading(threads)
      : await maxima(threads);
  try {
    const times: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      const begun = performance.now();
      await run();
      times.push(performance.now() - begun);
    }
    const [, , , below = 1, above = 1] = times.toSorted((a, b) => a - b);
    return (rows * cols * 4 * 1000) / ((below + above) / 2);
  } finally {
    await close();
  }
}

interface Reading {
  run(): Promise<unknown>;
  close(): Promise<void>;
}

/** Loads and nothing else, by code of our own. */
async function plainReading(threads: number): Promise<Reading> {
  const matrix = new Float32Array(rows * cols).fill(1);
  const read = plainReader(threads);
  return { run: () => read(addressOf(matrix), matrix.byteLength), close: async () => {} };
}

/** Reads memory by loads of AVX-512 alone, each thread a part, so many times; less than a part's last 512 bytes may be left out. */
export function plainReader(
  threads: number,
): (address: Pointer, bytes: number, times?: number) => Promise<unknown> {
  const code = new Assembler();
  const [again, anew] = [newLabel(), newLabel()];
  code.place(anew);
  code.mov(rcx, rdi);
  code.mov(r8, rsi);
  code.place(again);
  for (let line = 0; line < 8; line += 1) {
    code.vmovdqu32(line, at(rcx, line * 64));
    code.prefetch(at(rcx, 4096 + line * 64));
  }
  code.addConstant(rcx, 512);
  code.subConstant(r8, 512);
  code.j('ne', again);
  code.subConstant(rdx, 1);
  code.j('ne', anew);
  code.vzeroupper();
  code.ret();
  const read = koffi.decode(placeCode(code.toBytes()), koffi.proto('void', ['void *', 'size_t', 'size_t']));
  const part = (address: Pointer, bytes: number, times: number) =>
    new Promise<void>((resolve, reject) =>
      read.async(address, bytes, times, (error: Error | null) => (error ? reject(error) : resolve())),
    );
  return (address, bytes, times = 1) => {
    const share = Math.floor(bytes / threads / 512) * 512;
    // The code counts down to zero, and would not find it from there.
    const readers = share > 0 && times > 0 ? threads : 0;
    return Promise.all(
      Array.from({ length: readers }, (_, index) => part(address + BigInt(index * share), share, times)),
    );
  };
}

/** Elsewhere: the largest number of each row of a matrix, by the runtime. */
async function maxima(threads: number): Promise<Reading> {
  const graph = createGraph('bandwidth');
  graph.input('matrix', 'float32', [rows, cols]);
  graph.initializer('axis', 'int64', [1], BigInt64Array.of(1n));
  graph.node('ReduceMax', ['matrix', 'axis'], ['largest'], { attributes: { keepdims: 0 } });
  graph.output('largest', 'float32', [rows]);
  const session = await openSession(graph.toModel(), { threads });
  const matrix = Tensor.zeros('float32', [rows, cols]);
  // Pages that were never written are all the same one.
  (matrix.data as Float32Array).fill(1);
  const binding = session.bind({ matrix }, { largest: Tensor.zeros('float32', [rows]) });
  return {
    run: () => binding.run(),
    close: async () => {
      matrix.close();
      await session.close();
    },
  };
}
