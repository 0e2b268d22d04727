/** The instructions of AVX-512 that attention needs beside those of products; encodings as in assembler.ts. */
import { Assembler, type Mask, type Memory, type Vector, type VectorOptions } from './assembler.ts';

/** Predicates of comparisons. */
export const comparison = { less: 1, notLess: 5 };

export class AttentionAssembler extends Assembler {
  /** 16 halves of memory as float32. */
  vcvtph2ps = (to: Vector, from: Memory) => this.evex({ map: 2, prefix: 1, code: 0x13 }, to, 0, from);
  /** 16 lanes to halves, the nearest, even ones of two as near. */
  storeVcvtps2ph = (to: Memory, from: Vector) => {
    this.evex({ map: 3, prefix: 1, code: 0x1d }, from, 0, to);
    this.emit(0);
  };
  vsubps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x5c }, to, a, b);
  vsqrtps = (to: Vector, from: Vector) => this.evex({ map: 1, prefix: 0, code: 0x51 }, to, 0, from);
  /** b where one is no number. */
  vminps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x5d }, to, a, b);
  vmaxpsMemory = (to: Vector, a: Vector, b: Memory, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 0, code: 0x5f }, to, a, b, options);
  /** To whole numbers, the nearest. */
  vrndscaleps = (to: Vector, from: Vector) => {
    this.evex({ map: 3, prefix: 1, code: 0x08 }, to, 0, from);
    this.emit(0);
  };
  /** a × 2^b. */
  vscalefps = (to: Vector, a: Vector, b: Vector, options?: VectorOptions) =>
    this.evex({ map: 2, prefix: 1, code: 0x2c }, to, a, b, options);
  vcmpps = (to: Mask, a: Vector, b: Vector, predicate: number) => {
    this.evex({ map: 1, prefix: 0, code: 0xc2 }, to, a, b);
    this.emit(predicate);
  };
  vpcmpd = (to: Mask, a: Vector, b: Vector, predicate: number) => {
    this.evex({ map: 3, prefix: 1, code: 0x1f }, to, a, b);
    this.emit(predicate);
  };
}
