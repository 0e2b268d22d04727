import type { Assembler } from './assembler.ts';
import { layoutOf, type MatMulShape } from './matmul-layout.ts';

/** Writes code for one shape. */
export abstract class Emitter<Code extends Assembler = Assembler> {
  protected readonly code: Code;
  protected readonly shape: MatMulShape;
  protected readonly layout: ReturnType<typeof layoutOf>;
  /** Address of the family's tables. */
  protected readonly tables: bigint;

  constructor(code: Code, shape: MatMulShape, tables: bigint, vector: 32 | 64 = 64) {
    this.code = code;
    this.shape = shape;
    this.layout = layoutOf(shape, vector);
    this.tables = tables;
  }
}
