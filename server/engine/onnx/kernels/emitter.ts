import type { Assembler } from './assembler.ts';
import { layoutOf, type MatMulShape } from './matmul-layout.ts';

/** Writes code for one shape. */
export abstract class Emitter {
  protected readonly code: Assembler;
  protected readonly shape: MatMulShape;
  protected readonly layout: ReturnType<typeof layoutOf>;
  /** Address of matMulTables(). */
  protected readonly tables: bigint;

  constructor(code: Assembler, shape: MatMulShape, tables: bigint) {
    this.code = code;
    this.shape = shape;
    this.layout = layoutOf(shape);
    this.tables = tables;
  }
}
