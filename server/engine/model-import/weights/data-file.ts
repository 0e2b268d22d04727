/** The external weights of a graph: one file that grows by regions, the large ones at page borders so that they can be mapped. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ExternalData } from '../../onnx/graph/graph.ts';

/** Windows maps at these borders only; smaller pages divide them. */
const mapBorder = 65_536;
/** Of regions too small to be worth mapping: a cache line. */
const lineBorder = 64;

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
    return {
      location,
      offset,
      length,
      async write(chunk) {
        if (done + chunk.byteLength > length) throw new RangeError('a region of the weights file overflows');
        const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        for (let at = 0; at < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.length - at, offset + done);
          at += bytesWritten;
          done += bytesWritten;
        }
      },
    };
  }

  async close(): Promise<void> {
    await this.file.truncate(this.end);
    await this.file.close();
  }
}

/** The bytes of a typed array, without a copy. */
export const bytesOf = (array: Float32Array | Uint8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
