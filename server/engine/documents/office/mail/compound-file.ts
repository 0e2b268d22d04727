/**
 * Compound files ([MS-CFB]): the small file system that MSG, and DOC and XLS of before 2007, are. Chains that run in
 * circles or out of the file end where they do.
 */

import { EngineError } from '../../../engine.ts';

export interface CompoundEntry {
  /** Names from the root, with slashes between. */
  path: string;
  kind: 'storage' | 'stream';
  index: number;
}

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const endOfChain = 0xffff_fffa;
const maxEntries = 100_000;
const maxDepth = 32;
const miniCutoff = 4096;

export const isCompoundFile = (bytes: Uint8Array): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

const damaged = (): EngineError => new EngineError('document_unreadable', 'the document is damaged', 'file');

interface DirectoryEntry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

export class CompoundFile {
  readonly entries: CompoundEntry[] = [];
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #sectorSize: number;
  readonly #fat: number[] = [];
  readonly #miniFat: number[];
  readonly #mini: Uint8Array;
  readonly #directory: DirectoryEntry[] = [];

  /** @throws document_unreadable for a damaged file */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 512) throw damaged();
    const shift = this.#view.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged();
    this.#sectorSize = 1 << shift;
    for (const sector of this.#fatSectors()) {
      const at = this.#offset(sector);
      for (let index = 0; index < this.#sectorSize / 4 && at + 4 * index + 4 <= bytes.length; index++)
        this.#fat.push(this.#view.getUint32(at + 4 * index, true));
    }
    this.#readDirectory(this.#chain(this.#view.getUint32(48, true)));
    const root = this.#directory[0];
    if (!root) throw damaged();
    this.#mini = this.#chain(root.start, root.size);
    const miniFat = this.#chain(this.#view.getUint32(60, true));
    const view = new DataView(miniFat.buffer, miniFat.byteOffset, miniFat.byteLength);
    this.#miniFat = Array.from({ length: miniFat.length >> 2 }, (_, index) =>
      view.getUint32(4 * index, true),
    );
    this.#list(root.child, '', 0, new Set());
  }

  /** A stream's bytes; null where there is none of that path. */
  read(path: string): Uint8Array | null {
    const found = this.entries.find(
      (entry) => entry.kind === 'stream' && entry.path.toLowerCase() === path.toLowerCase(),
    );
    const entry = found && this.#directory[found.index];
    if (!entry) return null;
    return entry.size < miniCutoff ? this.#miniChain(entry) : this.#chain(entry.start, entry.size);
  }

  #offset = (sector: number): number => (sector + 1) * this.#sectorSize;

  *#fatSectors(): Generator<number> {
    const most = Math.ceil(this.#bytes.length / this.#sectorSize);
    let given = 0;
    for (let index = 0; index < 109; index++) {
      const sector = this.#view.getUint32(76 + 4 * index, true);
      if (sector < endOfChain && ++given <= most) yield sector;
    }
    let next = this.#view.getUint32(68, true);
    for (let steps = 0; next < endOfChain && steps < most; steps++) {
      const at = this.#offset(next);
      const last = this.#sectorSize / 4 - 1;
      if (at + this.#sectorSize > this.#bytes.length) return;
      for (let index = 0; index < last; index++) {
        const sector = this.#view.getUint32(at + 4 * index, true);
        if (sector < endOfChain && ++given <= most) yield sector;
      }
      next = this.#view.getUint32(at + 4 * last, true);
    }
  }

  /** Sectors of a chain together, up to `size` bytes. */
  #chain(start: number, size = Number.POSITIVE_INFINITY): Uint8Array {
    const pieces: Uint8Array[] = [];
    const seen = new Set<number>();
    let length = 0;
    for (
      let sector = start;
      sector < endOfChain && !seen.has(sector) && length < size;
      sector = this.#fat[sector] ?? endOfChain
    ) {
      seen.add(sector);
      const at = this.#offset(sector);
      if (at >= this.#bytes.length) break;
      const piece = this.#bytes.subarray(at, Math.min(at + this.#sectorSize, this.#bytes.length));
      pieces.push(piece);
      length += piece.length;
    }
    const whole = Buffer.concat(pieces);
    return whole.subarray(0, Math.min(whole.length, size));
  }

  #miniChain({ start, size }: DirectoryEntry): Uint8Array {
    const pieces: Uint8Array[] = [];
    const seen = new Set<number>();
    for (
      let sector = start;
      sector < endOfChain && !seen.has(sector) && 64 * pieces.length < size;
      sector = this.#miniFat[sector] ?? endOfChain
    ) {
      seen.add(sector);
      pieces.push(this.#mini.subarray(64 * sector, 64 * sector + 64));
    }
    return Buffer.concat(pieces).subarray(0, size);
  }

  #readDirectory(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 128 <= bytes.length && this.#directory.length < maxEntries; at += 128) {
      const nameBytes = Math.min(64, view.getUint16(at + 64, true));
      const name = new TextDecoder('utf-16le').decode(bytes.subarray(at, at + Math.max(0, nameBytes - 2)));
      this.#directory.push({
        name,
        type: view.getUint8(at + 66),
        left: view.getUint32(at + 68, true),
        right: view.getUint32(at + 72, true),
        child: view.getUint32(at + 76, true),
        start: view.getUint32(at + 116, true),
        size: view.getUint32(at + 120, true),
      });
    }
  }

  /** The tree of siblings below one entry, and what is below them. */
  #list(first: number, folder: string, depth: number, seen: Set<number>): void {
    const waiting = [first];
    while (waiting.length > 0) {
      const index = waiting.pop()!;
      const entry = this.#directory[index];
      if (!entry || seen.has(index)) continue;
      seen.add(index);
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.type === 2) this.entries.push({ path, kind: 'stream', index });
      if (entry.type === 1) {
        this.entries.push({ path, kind: 'storage', index });
        if (depth < maxDepth) this.#list(entry.child, path, depth + 1, seen);
      }
      waiting.push(entry.left, entry.right);
    }
  }
}
