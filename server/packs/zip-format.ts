/** The few records of the zip format that a stored-only archive needs, with the zip64 fields for large files (APPNOTE 6.3.10). */

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const zip64Version = 45;
const max32 = 0xffff_ffff;
/** 1980-01-01, the earliest date of the format: bundles of equal packs are equal. */
const dosDate = 0x0021;
const utf8Flag = 0x0800;

interface Recorded {
  name: Buffer;
  sizeBytes: number;
  crc: number;
  at: number;
}

/** Hands out local headers and remembers them for the directory at the end. */
export class ZipIndex {
  private readonly entries: Recorded[] = [];
  private offset = 0;

  add(path: string, sizeBytes: number, crc: number): Buffer {
    const name = Buffer.from(path, 'utf8');
    const header = localHeader(name, sizeBytes, crc);
    this.entries.push({ name, sizeBytes, crc, at: this.offset });
    this.offset += header.length + sizeBytes;
    return header;
  }

  end(): Buffer {
    const records = this.entries.map(centralRecord);
    const sizeBytes = records.reduce((sum, record) => sum + record.length, 0);
    return Buffer.concat([...records, endRecords(this.entries.length, sizeBytes, this.offset)]);
  }
}

/** Every entry carries its sizes in the zip64 field, whatever its length: one shape to write and to read. */
function localHeader(name: Buffer, sizeBytes: number, crc: number): Buffer {
  const header = Buffer.alloc(30 + name.length + 20);
  header.writeUInt32LE(localSignature, 0);
  header.writeUInt16LE(zip64Version, 4);
  header.writeUInt16LE(utf8Flag, 6);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(max32, 18);
  header.writeUInt32LE(max32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(20, 28);
  name.copy(header, 30);
  writeZip64(header, 30 + name.length, [sizeBytes, sizeBytes]);
  return header;
}

function centralRecord({ name, sizeBytes, crc, at }: Recorded): Buffer {
  const record = Buffer.alloc(46 + name.length + 28);
  record.writeUInt32LE(centralSignature, 0);
  record.writeUInt16LE(zip64Version, 4);
  record.writeUInt16LE(zip64Version, 6);
  record.writeUInt16LE(utf8Flag, 8);
  record.writeUInt16LE(dosDate, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(max32, 20);
  record.writeUInt32LE(max32, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(28, 30);
  record.writeUInt32LE(max32, 42);
  name.copy(record, 46);
  writeZip64(record, 46 + name.length, [sizeBytes, sizeBytes, at]);
  return record;
}

function writeZip64(target: Buffer, at: number, values: number[]): void {
  target.writeUInt16LE(0x0001, at);
  target.writeUInt16LE(values.length * 8, at + 2);
  for (const [index, value] of values.entries()) target.writeBigUInt64LE(BigInt(value), at + 4 + index * 8);
}

function endRecords(count: number, sizeBytes: number, at: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(sizeBytes), 40);
  end.writeBigUInt64LE(BigInt(at), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(at + sizeBytes), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  end.writeUInt16LE(0xffff, 84);
  end.writeUInt16LE(0xffff, 86);
  end.writeUInt32LE(max32, 88);
  end.writeUInt32LE(max32, 92);
  return end;
}

export interface LocalHeader {
  name: string;
  sizeBytes: number;
  /** Offset of the data from the header's start. */
  headerBytes: number;
}

/** The header at the start of `bytes`; null at the directory. @throws Error for anything a bundle does not hold */
export function parseLocalHeader(bytes: Buffer): LocalHeader | null {
  if (bytes.length < 30) throw new Error('the bundle is cut off');
  const signature = bytes.readUInt32LE(0);
  if (signature === centralSignature) return null;
  if (signature !== localSignature) throw new Error('the file is not a Lokal bundle');
  if (bytes.readUInt16LE(8) !== 0) throw new Error('the bundle holds a compressed entry; bundles are stored');
  if ((bytes.readUInt16LE(6) & ~utf8Flag) !== 0)
    throw new Error('the bundle holds an encrypted or streamed entry');
  const nameBytes = bytes.readUInt16LE(26);
  const extraBytes = bytes.readUInt16LE(28);
  const headerBytes = 30 + nameBytes + extraBytes;
  if (bytes.length < headerBytes) throw new Error('the bundle is cut off');
  const name = bytes.toString('utf8', 30, 30 + nameBytes);
  return { name, sizeBytes: storedSize(bytes, 30 + nameBytes, headerBytes), headerBytes };
}

function storedSize(bytes: Buffer, extraAt: number, end: number): number {
  const short = bytes.readUInt32LE(18);
  if (short !== max32) return short;
  for (let at = extraAt; at + 4 <= end; at += 4 + bytes.readUInt16LE(at + 2)) {
    if (bytes.readUInt16LE(at) !== 0x0001 || at + 20 > end) continue;
    const size = Number(bytes.readBigUInt64LE(at + 4));
    if (Number.isSafeInteger(size)) return size;
  }
  throw new Error('the bundle holds an entry without a size');
}
