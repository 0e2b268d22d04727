/**
 * Weights to few bits, block by block along a row: w ≈ scale · (code − zero point), as MatMulNBits computes it.
 *
 * Plain min-max wastes codes on outliers. For every block the range is shrunk step by step, the codes are rounded, the
 * scale is refitted by least squares (scale = Σ w·c / Σ c², c = code − zero point), and the smallest squared error wins.
 */

export interface QuantizedRows {
  /** [rows, blocks, block · bits / 8]; for four bits element 2i is the low half of a byte. */
  codes: Uint8Array;
  /** [rows, blocks] */
  scales: Float32Array;
  /** [rows, ⌈blocks / 2⌉] for four bits, low half first; [rows, blocks] for eight. */
  zeroPoints: Uint8Array;
  /** Σ (w − ŵ)² over the rows, and Σ w²: their ratio is the relative error. */
  squaredError: number;
  squaredNorm: number;
}

export interface QuantizeOptions {
  bits: 4 | 8;
  block: number;
}

const shrinks = [1, 0.95, 0.9, 0.85, 0.8, 0.74, 0.68];

/** @param weights rows · cols numbers; a last, short block is filled up with zeros */
export function quantizeRows(weights: Float32Array, cols: number, options: QuantizeOptions): QuantizedRows {
  const { bits, block } = options;
  const rows = weights.length / cols;
  const blocks = Math.ceil(cols / block);
  const zeroBytes = bits === 4 ? Math.ceil(blocks / 2) : blocks;
  const result: QuantizedRows = {
    codes: new Uint8Array((rows * blocks * block * bits) / 8),
    scales: new Float32Array(rows * blocks),
    zeroPoints: new Uint8Array(rows * zeroBytes),
    squaredError: 0,
    squaredNorm: 0,
  };
  const fitter = new BlockFitter(block, 2 ** bits - 1);
  for (let row = 0; row < rows; row += 1) {
    for (let index = 0; index < blocks; index += 1) {
      const start = row * cols + index * block;
      fitter.fit(weights, start, Math.min(block, cols - index * block));
      const at = row * blocks + index;
      result.scales[at] = fitter.scale;
      result.squaredError += fitter.error;
      result.squaredNorm += fitter.norm;
      if (bits === 4) {
        packHalves(fitter.codes, result.codes, (at * block) / 2);
        result.zeroPoints[row * zeroBytes + (index >> 1)]! |= fitter.zeroPoint << ((index & 1) * 4);
      } else {
        result.codes.set(fitter.codes, at * block);
        result.zeroPoints[at] = fitter.zeroPoint;
      }
    }
  }
  return result;
}

function packHalves(codes: Uint8Array, out: Uint8Array, at: number): void {
  for (let index = 0; index < codes.length; index += 2) {
    out[at + (index >> 1)] = codes[index]! | (codes[index + 1]! << 4);
  }
}

/** Finds one block's scale, zero point and codes. Its buffers are reused: read them before the next fit. */
class BlockFitter {
  readonly codes: Uint8Array;
  scale = 0;
  zeroPoint = 0;
  error = 0;
  norm = 0;
  private readonly trial: Uint8Array;
  private readonly highest: number;

  constructor(block: number, highest: number) {
    this.codes = new Uint8Array(block);
    this.trial = new Uint8Array(block);
    this.highest = highest;
  }

  fit(weights: Float32Array, start: number, count: number): void {
    let low = 0;
    let high = 0;
    this.norm = 0;
    for (let index = start; index < start + count; index += 1) {
      const weight = weights[index]!;
      if (weight < low) low = weight;
      if (weight > high) high = weight;
      this.norm += weight * weight;
    }
    this.error = Number.POSITIVE_INFINITY;
    if (high - low === 0) this.keepZeros();
    else
      for (const shrink of shrinks)
        this.tryRange(weights, start, { count, low: low * shrink, high: high * shrink });
  }

  private keepZeros(): void {
    this.codes.fill(0);
    this.zeroPoint = 0;
    this.scale = 0;
    this.error = 0;
  }

  private tryRange(
    weights: Float32Array,
    start: number,
    range: { count: number; low: number; high: number },
  ): void {
    const { highest, trial } = this;
    const step = (range.high - range.low) / highest;
    const zeroPoint = Math.min(highest, Math.max(0, Math.round(-range.low / step)));
    const inverse = 1 / step;
    let products = 0;
    let squares = 0;
    for (let index = 0; index < range.count; index += 1) {
      const weight = weights[start + index]!;
      const rounded = Math.floor(weight * inverse + 0.5) + zeroPoint;
      const code = Math.max(0, Math.min(rounded, highest));
      const centred = code - zeroPoint;
      trial[index] = code;
      products += weight * centred;
      squares += centred * centred;
    }
    if (squares === 0) return;
    // With the refitted scale the error is ‖w‖² − (Σ w·c)² / Σ c².
    const error = Math.max(0, this.norm - (products * products) / squares);
    if (error >= this.error) return;
    this.error = error;
    this.scale = products / squares;
    this.zeroPoint = zeroPoint;
    this.codes.set(trial);
    this.codes.fill(zeroPoint, range.count);
  }
}

/** Q4_0 blocks map exactly: block 32, zero point 8; the file pairs element i with i + 16, MatMulNBits 2i with 2i + 1. */
export function repackQ4_0(
  bytes: Uint8Array,
  cols: number,
  decodeScale: (half: number) => number,
): QuantizedRows {
  const blocks = bytes.length / 18;
  const perRow = cols / 32;
  const codes = new Uint8Array(blocks * 16);
  const scales = new Float32Array(blocks);
  for (let block = 0; block < blocks; block += 1) {
    const from = block * 18;
    scales[block] = decodeScale(bytes[from]! | (bytes[from + 1]! << 8));
    for (let index = 0; index < 16; index += 2) {
      const first = bytes[from + 2 + index]!;
      const second = bytes[from + 3 + index]!;
      codes[block * 16 + (index >> 1)] = (first & 15) | ((second & 15) << 4);
      codes[block * 16 + 8 + (index >> 1)] = (first >> 4) | (second & 0xf0);
    }
  }
  const zeroPoints = new Uint8Array((blocks / perRow) * Math.ceil(perRow / 2)).fill(0x88);
  return { codes, scales, zeroPoints, squaredError: 0, squaredNorm: 0 };
}
