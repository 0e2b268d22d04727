/**
 * safetensors files (https://huggingface.co/docs/safetensors): an 8-byte length, a JSON header, raw tensors. Every offset
 * is checked before anything is read; tensors may neither overlap nor leave the file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { fromBfloat16, fromFloat16 } from '../../onnx/float16.ts';

export type SafetensorType = 'F32' | 'F16' | 'BF16';

export interface SafetensorEntry {
  dtype: SafetensorType;
  dims: number[];
  /** Byte offset in the file. */
  at: number;
  bytes: number;
}

const longestHeader = 100 * 1024 * 1024;
const elementBytes: Record<SafetensorType, number> = { F32: 4, F16: 2, BF16: 2 };

export class SafetensorsFile {
  readonly entries: ReadonlyMap<string, SafetensorEntry>;
  private readonly file: FileHandle;

  private constructor(file: FileHandle, entries: Map<string, SafetensorEntry>) {
    this.file = file;
    this.entries = entries;
  }

  /** @throws Error naming what is wrong with the file */
  static async open(path: string, name: string): Promise<SafetensorsFile> {
    const file = await open(path, 'r');
    try {
      return new SafetensorsFile(file, await readHeader(file, name));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** `count` elements from element `first`, as float32. */
  async read(entry: SafetensorEntry, first: number, count: number): Promise<Float32Array> {
    const size = elementBytes[entry.dtype];
    const bytes = Buffer.allocUnsafeSlow(count * size);
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await this.file.read(
        bytes,
        done,
        bytes.length - done,
        entry.at + first * size + done,
      );
      if (bytesRead === 0) throw new Error('a weights file became shorter while it was read');
      done += bytesRead;
    }
    return toFloat32(bytes, entry.dtype);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

async function readHeader(file: FileHandle, name: string): Promise<Map<string, SafetensorEntry>> {
  const { size } = await file.stat();
  const lengthBytes = Buffer.alloc(8);
  await file.read(lengthBytes, 0, 8, 0);
  const length = Number(lengthBytes.readBigUInt64LE());
  if (size < 8 || length < 2 || length > Math.min(longestHeader, size - 8)) {
    throw new Error(`${name} is not a safetensors file, or it is cut off`);
  }
  const text = Buffer.alloc(length);
  await file.read(text, 0, length, 8);
  let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  try {
    header = JSON.parse(text.toString('utf8'));
  } catch {
    throw new Error(`${name}: the header is not valid JSON`);
  }
  const entries = new Map<string, SafetensorEntry>();
  for (const [key, value] of Object.entries(header)) {
    if (key !== '__metadata__') entries.set(key, toEntry(key, value, { name, base: 8 + length, size }));
  }
  checkOverlap(entries, name);
  return entries;
}

function toEntry(
  key: string,
  value: { dtype: string; shape: number[]; data_offsets: [number, number] },
  at: { name: string; base: number; size: number },
): SafetensorEntry {
  const label = `${at.name}: ${key.slice(0, 120)}`;
  const bytesEach = elementBytes[value?.dtype as SafetensorType];
  if (bytesEach === undefined)
    throw new Error(
      `${label} has the type ${String(value?.dtype ?? 'none').slice(0, 20)}, which is not supported`,
    );
  const dims = value.shape;
  if (!Array.isArray(dims) || dims.length > 4 || dims.some((dim) => !Number.isInteger(dim) || dim < 0)) {
    throw new Error(`${label} has a shape that makes no sense`);
  }
  const [begin, end] = Array.isArray(value.data_offsets) ? value.data_offsets : [0, -1];
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (
    !Number.isSafeInteger(begin) ||
    begin < 0 ||
    end - begin !== count * bytesEach ||
    at.base + end > at.size
  ) {
    throw new Error(`${label} lies outside the file; it is cut off or damaged`);
  }
  return { dtype: value.dtype as SafetensorType, dims, at: at.base + begin, bytes: end - begin };
}

function checkOverlap(entries: Map<string, SafetensorEntry>, name: string): void {
  let end = 0;
  for (const [key, entry] of [...entries].sort(([, a], [, b]) => a.at - b.at || a.bytes - b.bytes)) {
    if (entry.bytes > 0 && entry.at < end)
      throw new Error(`${name}: ${key.slice(0, 120)} overlaps another tensor`);
    end = Math.max(end, entry.at + entry.bytes);
  }
}

function toFloat32(bytes: Buffer, dtype: SafetensorType): Float32Array {
  if (dtype === 'F32') return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  return dtype === 'BF16' ? fromBfloat16(halves) : fromFloat16(halves);
}
