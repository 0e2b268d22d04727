/** Instructions of AMX for whole numbers: products of tiles of 16 rows of 64 bytes; and what prepares their operands. */
import { Assembler, type General, type Memory, type Vector } from './assembler.ts';

/** tmm0 … tmm7 by number. */
export type Tile = number;

export class AmxAssembler extends Assembler {
  ldtilecfg(from: Memory): void {
    this.#tile(0, 0x49, 0, from.base);
    this.memory(0, from);
  }

  tilerelease(): void {
    this.#tile(0, 0x49, 0, 0);
    this.emit(0xc0);
  }

  tilezero(to: Tile): void {
    this.#tile(3, 0x49, 0, 0);
    this.emit(0xc0 | (to << 3));
  }

  /** Rows that lie `stride` bytes apart. */
  tileloadd(to: Tile, from: Memory, stride: General): void {
    this.#tile(3, 0x4b, stride, from.base);
    this.#indexed(to, from, stride);
  }

  tilestored(to: Memory, from: Tile, stride: General): void {
    this.#tile(2, 0x4b, stride, to.base);
    this.#indexed(from, to, stride);
  }

  /** Adds to each lane of 32 bits the products of four signed bytes of a's row with those of b's column. */
  tdpbssd(to: Tile, a: Tile, b: Tile): void {
    this.emit(0xc4, 0xe2, ((~b & 15) << 3) | 3, 0x5e, 0xc0 | (to << 3) | a);
  }

  // Beside tiles.

  movzxByte(to: General, from: Memory): void {
    const bits = ((to >> 3) << 2) | (from.base >> 3);
    if (bits !== 0) this.emit(0x40 | bits);
    this.emit(0x0f, 0xb6);
    this.memory(to, from);
  }

  /** By the lowest bits of rcx. */
  shrByRcx(to: General): void {
    if (to > 7) this.emit(0x41);
    this.emit(0xd3, 0xe8 | (to & 7));
  }

  shr(to: General, by: number): void {
    this.emit(0x48 | (to >> 3), 0xc1, 0xe8 | (to & 7), by);
  }

  vpbroadcastb = (to: Vector, from: General) => this.evex({ map: 2, prefix: 1, code: 0x7a }, to, 0, from);
  vpsubd = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 1, code: 0xfa }, to, a, b);
  vpminud = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 2, prefix: 1, code: 0x3b }, to, a, b);
  vpmulld = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 2, prefix: 1, code: 0x40 }, to, a, b);
  /** Lanes of 32 bits, each of two products of words. */
  vpmaddwd = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 1, code: 0xf5 }, to, a, b);
  vpsrld = (to: Vector, from: Vector, by: number) => {
    this.evex({ map: 1, prefix: 1, code: 0x72 }, 2, to, from);
    this.emit(by);
  };
  vpslld = (to: Vector, from: Vector, by: number) => {
    this.evex({ map: 1, prefix: 1, code: 0x72 }, 6, to, from);
    this.emit(by);
  };
  /** Two or four lanes of 32 bits again and again. */
  vpbroadcastq = (to: Vector, from: Memory) =>
    this.evex({ map: 2, prefix: 1, code: 0x59, wide: true }, to, 0, from);
  vbroadcasti32x4 = (to: Vector, from: Memory) => this.evex({ map: 2, prefix: 1, code: 0x5a }, to, 0, from);

  /** Each lane from the base and its own offset in bytes; all sixteen, by way of k7. */
  vpgatherdd(to: Vector, base: General, offsets: Vector): void {
    const inverted = (bit: number, place: number) => ((bit & 1) ^ 1) << place;
    // kxnorw k7, k7, k7
    this.emit(0xc5, 0xc4, 0x46, 0xff);
    const extended =
      inverted(to >> 3, 7) | inverted(offsets >> 3, 6) | inverted(base >> 3, 5) | inverted(to >> 4, 4) | 2;
    this.emit(0x62, extended, 0x7d, 0x40 | inverted(offsets >> 4, 3) | 7, 0x90);
    this.emit(0x84 | ((to & 7) << 3), ((offsets & 7) << 3) | (base & 7));
    this.word(0);
  }

  vpsubb = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 1, code: 0xf8 }, to, a, b);
  /** 16 lanes of 32 bits to signed bytes in the lowest 16. */
  vpmovsdb = (to: Vector, from: Vector) => this.evex({ map: 2, prefix: 2, code: 0x21 }, from, 0, to);
  /** One of the lowest four lanes. */
  storeVpextrd = (to: Memory, from: Vector, lane: number) => {
    this.evex({ map: 3, prefix: 1, code: 0x16, short: true }, from, 0, to);
    this.emit(lane);
  };

  #tile(prefix: 0 | 2 | 3, code: number, index: General, base: General): void {
    const inverted = (bit: number, place: number) => ((bit & 1) ^ 1) << place;
    this.emit(0xc4, (1 << 7) | inverted(index >> 3, 6) | inverted(base >> 3, 5) | 2, 0x78 | prefix, code);
  }

  #indexed(register: number, { base, offset }: Memory, index: General): void {
    this.emit(0x84 | (register << 3), ((index & 7) << 3) | (base & 7));
    this.word(offset);
  }
}
