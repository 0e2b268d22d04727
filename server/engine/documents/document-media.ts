/** Decides what a file is from its first bytes; names and declared types are never trusted. */

import { EngineError } from '../engine.ts';

export type DocumentMediaType = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'unknown';

const startsWith = (bytes: Uint8Array, ...prefix: number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);

/** Readers accept a PDF header that starts within the first kilobyte (ISO 32000-1, annex H.3). */
function hasPdfHeader(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    'latin1',
  );
  return head.includes('%PDF-');
}

function detectMedia(bytes: Uint8Array): DocumentMediaType {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(bytes, 0x49, 0x49, 0x2a, 0x00) || startsWith(bytes, 0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  return hasPdfHeader(bytes) ? 'pdf' : 'unknown';
}

/** The same for files that can be read. Throws document_unreadable for no bytes and unsupported_media. */
export function knownMedia(bytes: Uint8Array): Exclude<DocumentMediaType, 'unknown'> {
  if (bytes.byteLength === 0) throw new EngineError('document_unreadable', 'the document is empty', 'file');
  const media = detectMedia(bytes);
  if (media === 'unknown')
    throw new EngineError('unsupported_media', 'the file is not a PDF, PNG, JPEG or TIFF', 'file');
  return media;
}
