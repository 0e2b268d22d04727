/** Compressed RTF ([MS-OXRTFCP]): the body of mails that have neither text nor HTML. */

import { maxInflatedBytes } from '../../limits.ts';

/** Every message begins as if this had been read before it. */
const before =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const headLength = 16;
const windowSize = 4096;
const compressed = 0x75465a4c;
const stored = 0x414c454d;

/** The RTF, as far as it can be read; null for bytes that hold none. */
export function inflateRtf(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < headLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.min(view.getUint32(4, true), maxInflatedBytes);
  const kind = view.getUint32(8, true);
  if (kind === stored) return bytes.subarray(headLength, headLength + length);
  if (kind !== compressed) return null;
  const window = new Uint8Array(windowSize);
  window.set(Buffer.from(before, 'latin1'));
  const out: number[] = [];
  let to = before.length;
  const put = (byte: number): void => {
    out.push(byte);
    window[to] = byte;
    to = (to + 1) % windowSize;
  };
  let at = headLength;
  while (at < bytes.length && out.length < length) {
    const flags = bytes[at++]!;
    for (let bit = 0; bit < 8 && at < bytes.length && out.length < length; bit++) {
      if (((flags >> bit) & 1) === 0) {
        put(bytes[at++]!);
        continue;
      }
      const pair = (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      const from = pair >> 4;
      if (from === to) return Uint8Array.from(out);
      for (let step = 0; step < (pair & 15) + 2; step++) put(window[(from + step) % windowSize]!);
    }
  }
  return Uint8Array.from(out.slice(0, length));
}
