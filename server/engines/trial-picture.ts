/** Pictures for trials. */
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of `size` by `size` grays. @param shade 0 to 255 */
export function grayPng(size: number, shade: (x: number, y: number) => number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 0, 0, 0, 0], 8);
  // A row is its filter and its pixels.
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) rows[y * (size + 1) + 1 + x] = shade(x, y);
  const part = (kind: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(kind), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [part('IHDR', header), part('IDAT', deflateSync(rows)), part('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}
