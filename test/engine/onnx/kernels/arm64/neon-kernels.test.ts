import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Arm64Assembler } from '../../../../../server/engine/onnx/kernels/arm64/arm64-assembler.ts';
import { emitI8mmMatMul } from '../../../../../server/engine/onnx/kernels/arm64/i8mm-matmul-code.ts';
import { emitNeonMatMul } from '../../../../../server/engine/onnx/kernels/arm64/neon-matmul-code.ts';
import { emitNeonRow } from '../../../../../server/engine/onnx/kernels/arm64/neon-quantization.ts';
import { layoutOf } from '../../../../../server/engine/onnx/kernels/matmul-layout.ts';
import { type Product, worstDifference } from '../../../../support/onnx/plain-matmul.ts';
import { randomNumbers } from '../../../../support/onnx/random.ts';
import { randomProduct } from '../../../../support/onnx/random-product.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-neon-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = join(folder, 'run-product');

/** The program that runs code for ARM64; false where its compiler or the emulator is not installed. */
function build(): boolean {
  try {
    const source = join(import.meta.dirname, 'run-product.c');
    execFileSync('aarch64-linux-gnu-gcc', ['-O1', '-static', '-o', program, source], { stdio: 'pipe' });
    execFileSync('qemu-aarch64-static', ['-version'], { stdio: 'pipe' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** y, by the code of a family under emulation. */
function multiply({ rows, shape, weights, x }: Product, i8mm: boolean): Float32Array {
  const code = new Arm64Assembler();
  const quantize = emitNeonRow(code, shape, i8mm).position!;
  const product = (i8mm ? emitI8mmMatMul : emitNeonMatMul)(code, shape).position!;
  const { pieceOutputs, row } = layoutOf(shape, 16);
  const bytes = code.toBytes();
  const parts = [x, weights.codes, weights.scales, weights.zeros ?? new Uint8Array()];
  const ySize = rows * shape.outputs * 4;
  const sizes = [
    ...[bytes.length, quantize, product, rows, Math.ceil(shape.outputs / pieceOutputs)],
    ...[...parts.map(({ byteLength }) => byteLength), ySize, (rows + 1) * row],
  ];
  const input = Buffer.concat([
    new Uint8Array(BigUint64Array.from(sizes, BigInt).buffer),
    bytes,
    ...parts.map(({ buffer, byteLength, byteOffset }) => new Uint8Array(buffer, byteOffset, byteLength)),
  ]);
  const answer = execFileSync('qemu-aarch64-static', ['-cpu', 'max', program], { input, maxBuffer: 1 << 26 });
  return new Float32Array(Uint8Array.from(answer).buffer);
}

describe.skipIf(!build()).each([
  ['neon_dotprod', false],
  ['neon_i8mm', true],
] as const)('kernels for %s, under emulation', (_family, i8mm) => {
  it('give what plain numbers give, whatever the shape, and the same for a row alone', () => {
    const random = randomNumbers(11);
    for (let index = 0; index < 40; index += 1) {
      const product = randomProduct(random);
      const { rows, shape, x } = product;
      const y = multiply(product, i8mm);
      const last = rows - 1;
      expect(worstDifference(product, y, [0, last])).toBeLessThan(1e-6);
      const alone = multiply({ ...product, rows: 1, x: x.slice(last * shape.columns) }, i8mm);
      expect(alone).toEqual(y.slice(last * shape.outputs));
    }
  }, 300_000);
});
