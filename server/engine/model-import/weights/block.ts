/** Chooses the length of a matrix's blocks: long ones are read faster, short ones keep to outliers. */
import type { Weight } from '../graph/model-shape.ts';
import { quantizeRows } from './quantize.ts';

export interface Precision {
  bits: 4 | 8;
  block: number;
}

export interface WantedPrecision extends Precision {
  /** Of the squared norm: while the squared error of a matrix is larger, its blocks are halved. */
  tolerance?: number;
}

/** No kernel is faster with shorter ones, and their scales take as much as another bit. */
const shortest = 32;
/** Of the columns: more zeros at the end of each row cost more time than a longer block saves. */
const mostFilling = 1 / 8;
const sampledRows = 64;

/**
 * The longest block up to the wanted one that fits the columns and keeps to the tolerance in every matrix.
 *
 * @param whole the rows must be whole blocks: the look-up of embeddings fills none up
 */
export async function chooseBlock(
  parts: readonly Weight[],
  wanted: WantedPrecision,
  whole: boolean,
): Promise<Precision> {
  const { bits, tolerance = 1 } = wanted;
  const { cols } = parts[0]!;
  const samples = wanted.tolerance === undefined ? [] : await Promise.all(parts.map(sampleRows));
  let { block } = wanted;
  const fits = () =>
    cols % block === 0 || (!whole && Math.ceil(cols / block) * block <= cols * (1 + mostFilling));
  const keeps = (rows: Float32Array) => {
    const { squaredError, squaredNorm } = quantizeRows(rows, cols, { bits, block });
    return squaredError <= tolerance * squaredNorm;
  };
  while (block > 16 && !(fits() && (block <= shortest || samples.every(keeps)))) block /= 2;
  return { bits, block };
}

/** Rows from all over the matrix, one after another. */
async function sampleRows(weight: Weight): Promise<Float32Array> {
  const count = Math.min(sampledRows, weight.rows);
  const sample = new Float32Array(count * weight.cols);
  for (let index = 0; index < count; index += 1) {
    const row = Math.floor((index * weight.rows) / count);
    sample.set(await weight.read(row, 1), index * weight.cols);
  }
  return sample;
}
