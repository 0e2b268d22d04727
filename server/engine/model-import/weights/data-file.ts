/** The external weights of a graph: one file that grows by regions, the large ones at page borders so that they can be mapped. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ExternalData } from '../../onnx/graph/graph.ts';
import { dropFromMemory, hugePage } from '../../onnx/huge-pages.ts';

/** Windows maps at these borders only; smaller pages divide them. */
const mapBorder = 65_536;
/** Of regions too small to be worth mapping: a cache line. */
const lineBorder = 64;

/**
 * Written whole, a piece of a file between two of these borders becomes one page of the memory that Linux keeps of the file, and is
 * mapped as one (onnx/huge-pages.ts).
 */
const pieceBorder = hugePage;

/** Offset at which a region of this length may begin, from `end` on. */
export function regionStart(end: number, length: number): number {
  const border = length >= mapBorder ? mapBorder : lineBorder;
  return Math.ceil(end / border) * border;
}

export interface DataRegion extends ExternalData {
  /** Appends to the region; the chunks together must be `length` bytes. */
  write(chunk: Uint8Array): Promise<void>;
}

export class DataFile {
  private readonly file: FileHandle;
  private readonly name: string;
  private end = 0;

  private constructor(file: FileHandle, name: string) {
    this.file = file;
    this.name = name;
  }

  static async create(path: string): Promise<DataFile> {
    return new DataFile(await open(path, 'wx'), basename(path));
  }

  get sizeBytes(): number {
    return this.end;
  }

  reserve(length: number): DataRegion {
    const { file, name: location } = this;
    const offset = regionStart(this.end, length);
    this.end = offset + length;
    let done = 0;
    let piece = new Uint8Array(0);
    let held = 0;
    return {
      location,
      offset,
      length,
      async write(chunk) {
        if (done + chunk.byteLength > length) throw new RangeError('a region of the weights file overflows');
        const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        for (let at = 0; at < bytes.length; ) {
          const here = offset + done;
          if (held === 0) piece = new Uint8Array(Math.min(pieceBorder - (here % pieceBorder), length - done));
          const count = Math.min(piece.length - held, bytes.length - at);
          piece.set(bytes.subarray(at, at + count), held);
          [held, at, done] = [held + count, at + count, done + count];
          if (held < piece.length) continue;
          await writeAll(file, piece, offset + done - held);
          held = 0;
        }
      },
    };
  }

  async close(): Promise<void> {
    try {
      await this.file.truncate(this.end);
      // In scattered memory even large writes leave small pages; a reader finds room for large ones.
      await this.file.datasync();
      dropFromMemory(this.file.fd);
    } finally {
      await this.file.close();
    }
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, place: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, place + at);
    at += bytesWritten;
  }
}

/** The bytes of a typed array, without a copy. */
export const bytesOf = (array: Float32Array | Uint8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
