/** Decides what a file is from its first bytes; names and declared types are never trusted. */

import { EngineError } from '../../engine.ts';
import { isFlowFile } from '../office/read-flow.ts';

export type DocumentMediaType = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'flow' | 'unknown';

const startsWith = (bytes: Uint8Array, ...prefix: number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);

/** Readers accept a PDF header that starts within the first kilobyte (ISO 32000-1, annex H.3). */
const headerBytes = 1024;
/** Further in it counts where an end of file follows: files saved with the headers of a message or a page before them. */
const preambleBytes = 1 << 20;

/** The offset of a PDF's header, -1 where there is none. */
function pdfHeader(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = file.subarray(0, preambleBytes).indexOf('%PDF-', 0, 'latin1');
  return at < headerBytes || file.indexOf('startxref', at, 'latin1') > 0 ? at : -1;
}

/** The bytes of a PDF from its header on, where its reader would not look so far for it. */
export function fromPdfHeader(bytes: Uint8Array): Uint8Array {
  const at = pdfHeader(bytes);
  return at < headerBytes ? bytes : bytes.subarray(at);
}

function detectMedia(bytes: Uint8Array): DocumentMediaType {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(bytes, 0x49, 0x49, 0x2a, 0x00) || startsWith(bytes, 0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  if (pdfHeader(bytes) >= 0) return 'pdf';
  return isFlowFile(bytes) ? 'flow' : 'unknown';
}

/** The same for files that can be read. @throws document_unreadable for no bytes and unsupported_media. */
export function knownMedia(bytes: Uint8Array): Exclude<DocumentMediaType, 'unknown'> {
  if (bytes.byteLength === 0) throw new EngineError('document_unreadable', 'the document is empty', 'file');
  const media = detectMedia(bytes);
  if (media === 'unknown')
    throw new EngineError(
      'unsupported_media',
      'the file is not a PDF, picture (PNG, JPEG, TIFF), office document, mail, web page or text',
      'file',
    );
  return media;
}
