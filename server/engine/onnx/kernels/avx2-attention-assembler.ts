/** The instructions of AVX2, FMA and F16C that attention needs beside those of products; encodings as in vex-assembler.ts. */
import type { General, Memory, Vector } from './assembler.ts';
import { VexAssembler } from './vex-assembler.ts';

export class Avx2AttentionAssembler extends VexAssembler {
  /** A general register's low 32 bits to the lowest lane; the others become 0. */
  vmovdGeneral = (to: Vector, from: General) =>
    this.vex({ map: 1, prefix: 1, code: 0x6e, short: true }, to, 0, from);
  /** Lanes whose mask is negative; the memory of others is not touched. */
  storeVmaskmovps = (to: Memory, mask: Vector, from: Vector) =>
    this.vex({ map: 2, prefix: 1, code: 0x2e }, from, mask, to);
  /** Eight halves of memory as float32. */
  vcvtph2ps = (to: Vector, from: Memory) => this.vex({ map: 2, prefix: 1, code: 0x13 }, to, 0, from);
  /** Eight lanes to halves, the nearest, even ones of two as near. */
  storeVcvtps2ph = (to: Memory, from: Vector) => {
    this.vex({ map: 3, prefix: 1, code: 0x1d }, from, 0, to);
    this.emit(0);
  };
  vsqrtps = (to: Vector, from: Vector) => this.vex({ map: 1, prefix: 0, code: 0x51 }, to, 0, from);
  /** b where one is no number. */
  vminps = (to: Vector, a: Vector, b: Vector) => this.vex({ map: 1, prefix: 0, code: 0x5d }, to, a, b);
  /** To whole numbers, the nearest. */
  vroundps = (to: Vector, from: Vector) => {
    this.vex({ map: 3, prefix: 1, code: 0x08 }, to, 0, from);
    this.emit(0);
  };
  /** All bits of the lanes where it holds. */
  vcmpps = (to: Vector, a: Vector, b: Vector, predicate: number) => {
    this.vex({ map: 1, prefix: 0, code: 0xc2 }, to, a, b);
    this.emit(predicate);
  };
  /** All bits of the lanes where a is larger, as signed whole numbers. */
  vpcmpgtd = (to: Vector, a: Vector, b: Vector) => this.vex({ map: 1, prefix: 1, code: 0x66 }, to, a, b);
  vpslld = (to: Vector, from: Vector, by: number) => {
    this.vex({ map: 1, prefix: 1, code: 0x72 }, 6, to, from);
    this.emit(by);
  };
  /** to = a × to + b. */
  override vfmadd213ps = (to: Vector, a: Vector, b: Vector | Memory) =>
    this.vex({ map: 2, prefix: 1, code: 0xa8 }, to, a, b);
}
