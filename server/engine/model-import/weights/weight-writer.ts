/** Weight writers: float32 as it is, or few bits. Both stream a matrix in pieces of bounded size into the weights file. */
import { decodeHalf } from '../../onnx/float16.ts';
import type { Graph } from '../../onnx/graph/graph.ts';
import type { WeightWriter } from '../graph/linear.ts';
import type { Weight, WeightName, WeightSource } from '../graph/model-shape.ts';
import { chooseBlock, type Precision, type WantedPrecision } from './block.ts';
import { bytesOf, type DataFile } from './data-file.ts';
import { type QuantizedRows, repackQ4_0 } from './quantize.ts';
import type { QuantizerPool } from './quantizer-pool.ts';

/** Chosen for each product: stacked matrices share one. */
export type PrecisionPolicy = (weights: WeightName[]) => WantedPrecision | 'float32';

export interface WriteReport {
  /** Bits of stored matrices, scales included, and their weights. */
  bits: number;
  weights: number;
  squaredError: number;
  squaredNorm: number;
}

export interface WriterOptions {
  source: WeightSource;
  data: DataFile;
  precision: PrecisionPolicy;
  /** Takes Q4_0 blocks over bit by bit where the source holds them. */
  exactQ4_0: boolean;
  quantizers: QuantizerPool;
  onWeights: (count: number) => void;
  signal: AbortSignal;
}

/** Numbers of one piece: 64 MB as float32. */
const pieceNumbers = 16 * 1024 * 1024;
const fused = { domain: 'com.microsoft' };

interface Stored extends Precision {
  codes: string;
  scales: string;
  zeroPoints: string;
  rows: number;
  cols: number;
}

export class ModelWriter implements WeightWriter {
  readonly report: WriteReport = { bits: 0, weights: 0, squaredError: 0, squaredNorm: 0 };
  private readonly options: WriterOptions;
  private readonly vectors = new Set<string>();
  /** The embeddings, kept once where the head is tied to them. */
  private readonly stored = new Map<string, Stored>();

  constructor(options: WriterOptions) {
    this.options = options;
  }

  has(name: WeightName): boolean {
    return this.options.source.has(name);
  }

  async linear(graph: Graph, input: string, names: WeightName[], output: string): Promise<string> {
    const precision = await this.precisionOf(names);
    if (precision === 'float32') return this.floatLinear(graph, input, { names, output });
    const stored = await this.store(graph, names, precision);
    const { codes, scales, zeroPoints, rows, cols, bits, block } = stored;
    return graph.node('MatMulNBits', [input, codes, scales, zeroPoints], [output], {
      ...fused,
      attributes: { K: cols, N: rows, bits, block_size: block, accuracy_level: 4 },
    });
  }

  async embedding(graph: Graph, ids: string, output: string): Promise<string> {
    const precision = await this.precisionOf(['embedding']);
    if (precision === 'float32') {
      const table = await this.floatMatrix(graph, 'embedding');
      return graph.node('Gather', [table, ids], [output], { attributes: { axis: 0 } });
    }
    const stored = await this.store(graph, ['embedding'], precision);
    const gathered = this.gatherInputs(graph, stored);
    return graph.node(
      'GatherBlockQuantized',
      [gathered.codes, ids, stored.scales, gathered.zeroPoints],
      [output],
      {
        ...fused,
        attributes: { gather_axis: 0, quantize_axis: 1, block_size: stored.block, bits: stored.bits },
      },
    );
  }

  async vector(graph: Graph, names: WeightName[], name: string, offset = 0): Promise<string> {
    if (this.vectors.has(name)) return name;
    this.vectors.add(name);
    const parts: number[] = [];
    for (const each of names) {
      const weight = this.options.source.get(each);
      parts.push(...(await weight.read(0, weight.rows)));
    }
    return graph.initializer(
      name,
      'float32',
      [parts.length],
      Float32Array.from(parts, (value) => value + offset),
    );
  }

  async table(graph: Graph, name: string, dims: number[], values: Float32Array): Promise<string> {
    const region = this.options.data.reserve(values.byteLength);
    await region.write(bytesOf(values));
    return graph.externalInitializer(name, 'float32', dims, region);
  }

  /** Blocks of Q4_0 are of 32; anything else is for the policy to say. */
  private async precisionOf(names: WeightName[]): Promise<Precision | 'float32'> {
    if (this.isExact(names)) return { bits: 4, block: 32 };
    const wanted = this.options.precision(names);
    if (wanted === 'float32') return wanted;
    const parts = names.map((name) => this.options.source.get(name));
    return chooseBlock(parts, wanted, names[0] === 'embedding');
  }

  private isExact(names: WeightName[]): boolean {
    const { exactQ4_0, source } = this.options;
    return exactQ4_0 && names.every((name) => source.get(name).readQ4_0 !== undefined);
  }

  private async store(graph: Graph, names: WeightName[], precision: Precision): Promise<Stored> {
    const key = names.join('+');
    const known = this.stored.get(key);
    if (known) return known;
    const stored = await this.write(graph, names, precision);
    if (key === 'embedding') this.stored.set(key, stored);
    return stored;
  }

  private async write(graph: Graph, names: WeightName[], { bits, block }: Precision): Promise<Stored> {
    const { data, source } = this.options;
    const parts = names.map((name) => source.get(name));
    const cols = parts[0]!.cols;
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const blocks = Math.ceil(cols / block);
    const zeroBytes = bits === 4 ? Math.ceil(blocks / 2) : blocks;
    const codes = data.reserve((rows * blocks * block * bits) / 8);
    const scales = data.reserve(rows * blocks * 4);
    const zeroPoints = data.reserve(rows * zeroBytes);
    const exact = this.isExact(names);
    for (const part of parts) {
      for await (const piece of this.pieces(part, { exact, bits, block })) {
        await codes.write(piece.codes);
        await scales.write(bytesOf(piece.scales));
        await zeroPoints.write(piece.zeroPoints);
        this.report.squaredError += piece.squaredError;
        this.report.squaredNorm += piece.squaredNorm;
      }
    }
    this.report.bits += (codes.length + scales.length + zeroPoints.length) * 8;
    this.report.weights += rows * cols;
    const name = names.join('+');
    return {
      codes: graph.externalInitializer(`${name}/codes`, 'uint8', [rows, blocks, (block * bits) / 8], codes),
      scales: graph.externalInitializer(`${name}/scales`, 'float32', [rows, blocks], scales),
      zeroPoints: graph.externalInitializer(`${name}/zero_points`, 'uint8', [rows, zeroBytes], zeroPoints),
      rows,
      cols,
      bits,
      block,
    };
  }

  private async *pieces(part: Weight, how: Precision & { exact: boolean }): AsyncGenerator<QuantizedRows> {
    const { onWeights, quantizers, signal } = this.options;
    const step = Math.max(1, Math.floor(pieceNumbers / part.cols));
    for (let first = 0; first < part.rows; first += step) {
      signal.throwIfAborted();
      const count = Math.min(step, part.rows - first);
      yield how.exact && part.readQ4_0
        ? repackQ4_0(await part.readQ4_0(first, count), part.cols, decodeHalf)
        : await quantizers.quantize(await part.read(first, count), part.cols, {
            bits: how.bits,
            block: how.block,
          });
      onWeights(count * part.cols);
    }
  }

  /** The same bytes under the types that the look-up wants: codes flat, zero points one a block. */
  private gatherInputs(graph: Graph, stored: Stored): { codes: string; zeroPoints: string } {
    const { bits, cols, rows } = stored;
    const flat = (name: string, width: number) => {
      const target = `${name}/lookup`;
      const shape = graph.initializer(
        `${target}_dims`,
        'int64',
        [2],
        BigInt64Array.of(BigInt(rows), BigInt(width)),
      );
      return graph.node('Reshape', [name, shape], [target]);
    };
    return { codes: flat(stored.codes, (cols * bits) / 8), zeroPoints: stored.zeroPoints };
  }

  private async floatLinear(
    graph: Graph,
    input: string,
    at: { names: WeightName[]; output: string },
  ): Promise<string> {
    const matrices: string[] = [];
    for (const name of at.names) matrices.push(await this.floatMatrix(graph, name));
    const stacked =
      matrices.length === 1
        ? matrices[0]!
        : graph.node('Concat', matrices, [`${at.output}/weights`], { attributes: { axis: 0 } });
    const turned = graph.node('Transpose', [stacked], [`${at.output}/turned`], {
      attributes: { perm: [1, 0] },
    });
    return graph.node('MatMul', [input, turned], [at.output]);
  }

  private readonly matrices = new Set<string>();

  private async floatMatrix(graph: Graph, name: WeightName): Promise<string> {
    const target = `${name}/float`;
    if (this.matrices.has(target)) return target;
    this.matrices.add(target);
    const { data, onWeights, signal, source } = this.options;
    const weight = source.get(name);
    const region = data.reserve(weight.rows * weight.cols * 4);
    const step = Math.max(1, Math.floor(pieceNumbers / weight.cols));
    for (let first = 0; first < weight.rows; first += step) {
      signal.throwIfAborted();
      const count = Math.min(step, weight.rows - first);
      await region.write(bytesOf(await weight.read(first, count)));
      onWeights(count * weight.cols);
    }
    this.report.bits += weight.rows * weight.cols * 32;
    this.report.weights += weight.rows * weight.cols;
    return graph.externalInitializer(target, 'float32', [weight.rows, weight.cols], region);
  }
}
