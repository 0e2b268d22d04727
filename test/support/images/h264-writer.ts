/**
 * The simplest H.264 there is (ITU-T H.264, baseline): key frames and inter frames whose macroblocks are either raw
 * samples (I_PCM) or copies of the frame before (P_Skip). Lossless and exact, so a test knows every decoded sample.
 */

/** Planar 4:2:0, sides multiples of 16. */
export interface YuvFrame {
  width: number;
  height: number;
  y: Uint8Array;
  u: Uint8Array;
  v: Uint8Array;
}

class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  bits(value: number, count: number): this {
    for (let at = count - 1; at >= 0; at--) {
      this.#bits = (this.#bits << 1) | ((value >> at) & 1);
      if (++this.#count === 8) {
        this.#bytes.push(this.#bits);
        this.#bits = 0;
        this.#count = 0;
      }
    }
    return this;
  }

  /** Exp-Golomb code, clause 9.1. */
  ue(value: number): this {
    const length = 31 - Math.clz32(value + 1);
    return this.bits(0, length).bits(value + 1, length + 1);
  }

  align(): this {
    while (this.#count !== 0) this.bits(0, 1);
    return this;
  }

  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  /** Stop bit, then bytes that no start code can hide in (clause 7.4.1). */
  toNal(header: number): Uint8Array {
    this.bits(1, 1).align();
    const escaped = [header];
    for (const byte of this.#bytes) {
      if (byte <= 3 && escaped.length > 2 && escaped.at(-1) === 0 && escaped.at(-2) === 0) escaped.push(3);
      escaped.push(byte);
    }
    return Uint8Array.from(escaped);
  }
}

const sequenceHeader = (width: number, height: number): Uint8Array =>
  new BitWriter()
    .raw([66, 0xc0, 40])
    .ue(0) // id
    .ue(0) // frame numbers of 4 bits
    .ue(2) // shown in the order of decoding
    .ue(1) // one reference frame
    .bits(0, 1)
    .ue(width / 16 - 1)
    .ue(height / 16 - 1)
    .bits(0b1100, 4) // frames only, 8×8 inference, no cropping, no VUI
    .toNal(0x67);

const pictureHeader = (): Uint8Array =>
  new BitWriter()
    .ue(0)
    .ue(0)
    .bits(0, 2) // CAVLC, no field order
    .ue(0)
    .ue(0)
    .ue(0)
    .bits(0, 3)
    .ue(0)
    .ue(0)
    .ue(0)
    .bits(0b100, 3) // deblocking is told by each slice
    .toNal(0x68);

function writeMacroblocks(slice: BitWriter, frame: YuvFrame, intra: boolean): void {
  for (let row = 0; row < frame.height; row += 16) {
    for (let column = 0; column < frame.width; column += 16) {
      if (intra) slice.ue(25);
      else slice.ue(0).ue(30);
      slice.align();
      for (let y = 0; y < 16; y++) {
        const from = (row + y) * frame.width + column;
        slice.raw(frame.y.subarray(from, from + 16));
      }
      for (const plane of [frame.u, frame.v]) {
        for (let y = 0; y < 8; y++) {
          const from = ((row / 2 + y) * frame.width) / 2 + column / 2;
          slice.raw(plane.subarray(from, from + 8));
        }
      }
    }
  }
}

const keySlice = (frame: YuvFrame, number: number): Uint8Array => {
  const slice = new BitWriter()
    .ue(0)
    .ue(7)
    .ue(0)
    .bits(0, 4)
    .ue(number % 2)
    .bits(0, 2)
    .ue(0)
    .ue(1);
  writeMacroblocks(slice, frame, true);
  return slice.toNal(0x65);
};

/** `null`: every macroblock is copied from the frame before. */
const interSlice = (frame: YuvFrame | null, number: number, macroblocks: number): Uint8Array => {
  const slice = new BitWriter()
    .ue(0)
    .ue(5)
    .ue(0)
    .bits(number % 16, 4)
    .bits(0, 3)
    .ue(0)
    .ue(1);
  if (frame) writeMacroblocks(slice, frame, false);
  else slice.ue(macroblocks);
  return slice.toNal(0x41);
};

export interface H264Stream {
  /** AVCDecoderConfigurationRecord (ISO/IEC 14496-15). */
  description: Uint8Array;
  /** NAL units with 4-byte lengths. */
  packets: { data: Uint8Array; key: boolean }[];
}

const withLength = (nal: Uint8Array): Uint8Array => {
  const packet = new Uint8Array(nal.length + 4);
  new DataView(packet.buffer).setUint32(0, nal.length);
  packet.set(nal, 4);
  return packet;
};

/** @param keyEvery a key frame each so many frames; those between are inter frames */
export function writeH264(frames: readonly (YuvFrame | null)[], keyEvery: number): H264Stream {
  const { width, height } = frames[0]!;
  const sequence = sequenceHeader(width, height);
  const picture = pictureHeader();
  const description = Uint8Array.of(
    ...[1, 66, 0xc0, 40, 0xff, 0xe1],
    ...[sequence.length >> 8, sequence.length & 255, ...sequence],
    ...[1, picture.length >> 8, picture.length & 255, ...picture],
  );
  const packets = frames.map((frame, index) => {
    const sinceKey = index % keyEvery;
    const nal =
      sinceKey === 0 && frame
        ? keySlice(frame, index / keyEvery)
        : interSlice(frame, sinceKey, (width * height) / 256);
    return { data: withLength(nal), key: sinceKey === 0 };
  });
  return { description, packets };
}
