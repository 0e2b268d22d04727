/** A GGUF file: metadata and tensors, every extent checked against the file before anything is read. */
import { type FileHandle, open } from 'node:fs/promises';
import { gguf } from '@huggingface/gguf';
import { type BlockFormat, blockFormats, decodeBlocks } from './ggml-types.ts';

export interface GgufTensor {
  format: BlockFormat;
  rows: number;
  cols: number;
  /** Byte offset in the file. */
  at: number;
}

const mostTensors = 100_000;
const mostWeights = 2 ** 42;

export class GgufFile {
  readonly metadata: Record<string, unknown>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  private readonly file: FileHandle;

  private constructor(file: FileHandle, metadata: Record<string, unknown>, tensors: Map<string, GgufTensor>) {
    this.file = file;
    this.metadata = metadata;
    this.tensors = tensors;
  }

  /** @throws Error naming what is wrong with the file */
  static async open(path: string): Promise<GgufFile> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      await checkPreamble(file, size);
      const { metadata, tensorInfos, tensorDataOffset } = await gguf(path, { allowLocalFile: true }).catch(
        () => {
          throw new Error('the header of the GGUF file is damaged or cut off');
        },
      );
      const tensors = new Map<string, GgufTensor>();
      for (const info of tensorInfos) {
        tensors.set(info.name, toTensor(info, { base: Number(tensorDataOffset), size }));
      }
      checkOverlap(tensors);
      return new GgufFile(file, metadata as unknown as Record<string, unknown>, tensors);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The bytes of `count` rows from `first`. */
  async readRows(tensor: GgufTensor, first: number, count: number): Promise<Buffer> {
    const rowBytes = (tensor.cols / tensor.format.weights) * tensor.format.bytes;
    const bytes = Buffer.allocUnsafeSlow(count * rowBytes);
    let done = 0;
    while (done < bytes.length) {
      const at = tensor.at + first * rowBytes + done;
      const { bytesRead } = await this.file.read(bytes, done, bytes.length - done, at);
      if (bytesRead === 0) throw new Error('the GGUF file became shorter while it was read');
      done += bytesRead;
    }
    return bytes;
  }

  async readFloats(tensor: GgufTensor, first: number, count: number): Promise<Float32Array> {
    return decodeBlocks(tensor.format, await this.readRows(tensor, first, count));
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** Counts that would make a parser allocate without end are refused before it runs. */
async function checkPreamble(file: FileHandle, size: number): Promise<void> {
  const head = Buffer.alloc(24);
  const { bytesRead } = await file.read(head, 0, 24, 0);
  if (bytesRead < 24 || head.toString('latin1', 0, 4) !== 'GGUF') throw new Error('it is not a GGUF file');
  const version = head.readUInt32LE(4);
  if (version !== 2 && version !== 3)
    throw new Error(`GGUF version ${version} is not supported (2 and 3 are)`);
  const counts = [head.readBigUInt64LE(8), head.readBigUInt64LE(16)];
  if (counts.some((count) => count > BigInt(Math.min(mostTensors, size)))) {
    throw new Error('the GGUF header claims more tensors or metadata than a model has');
  }
}

interface TensorInfo {
  name: string;
  dtype: number;
  shape: bigint[];
  offset: bigint;
}

function toTensor(info: TensorInfo, file: { base: number; size: number }): GgufTensor {
  const name = info.name.slice(0, 120) || 'a tensor without a name';
  const format = blockFormats[info.dtype];
  if (!format) throw new Error(`${name} has the GGUF type ${info.dtype}, which is not supported`);
  const [cols = 1, ...outer] = info.shape.map(Number);
  const rows = outer.reduce((product, each) => product * each, 1);
  const count = rows * cols;
  if (!Number.isSafeInteger(count) || count < 1 || count > mostWeights || cols % format.weights !== 0) {
    throw new Error(`${name} has a shape that makes no sense`);
  }
  const at = file.base + Number(info.offset);
  const bytes = (count / format.weights) * format.bytes;
  if (!Number.isSafeInteger(at) || at < file.base || at + bytes > file.size) {
    throw new Error(`${name} lies outside the file; it is cut off or damaged`);
  }
  return { format, rows, cols, at };
}

function checkOverlap(tensors: Map<string, GgufTensor>): void {
  let end = 0;
  for (const [name, tensor] of [...tensors].sort(([, a], [, b]) => a.at - b.at)) {
    if (tensor.at < end) throw new Error(`${name.slice(0, 120)} overlaps another tensor`);
    end = tensor.at + ((tensor.rows * tensor.cols) / tensor.format.weights) * tensor.format.bytes;
  }
}
