/** Tells what a file that is neither PDF nor picture is, from its bytes, and reads it as a flow. */

import { EngineError } from '../../engine.ts';
import type { Flow } from './flow.ts';
import { CompoundFile, isCompoundFile } from './mail/compound-file.ts';
import { isMail, readEml } from './mail/read-eml.ts';
import { readMsg } from './mail/read-msg.ts';
import { readOpenDocumentFormat } from './open-document-format.ts';
import { PackageParts } from './package-parts.ts';
import { readPresentation } from './presentation.ts';
import { readSpreadsheet } from './spreadsheet.ts';
import { bytesToText, isGuessed, isTextFile } from './text/bytes-to-text.ts';
import { isCard, readCard } from './text/card.ts';
import { delimiterOf, readDelimitedText } from './text/delimited-text.ts';
import { readPlainText } from './text/plain-text.ts';
import { readRichText } from './text/rich-text.ts';
import { readWebPage } from './web-page.ts';
import { readWordprocessing } from './wordprocessing.ts';

const unsupported = (message: string): EngineError => new EngineError('unsupported_media', message, 'file');

const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/** True for bytes of a kind that `readFlow` may read. */
export const isFlowFile = (bytes: Uint8Array): boolean =>
  isZip(bytes) || isCompoundFile(bytes) || isTextFile(bytes);

function readPackage(bytes: Uint8Array): Flow {
  const parts = new PackageParts(bytes);
  if (parts.has('word/document.xml')) return readWordprocessing(parts);
  if (parts.has('xl/workbook.xml')) return readSpreadsheet(parts);
  if (parts.has('ppt/presentation.xml')) return readPresentation(parts);
  const kind = parts.read('mimetype');
  if (kind && bytesToText(kind).startsWith('application/vnd.oasis.opendocument.')) {
    const manifest = parts.read('META-INF/manifest.xml');
    if (manifest && /encryption-data/.test(bytesToText(manifest)))
      throw new EngineError('document_encrypted', 'the document is protected by a password', 'file');
    return readOpenDocumentFormat(parts);
  }
  throw unsupported('the archive is no DOCX, XLSX, PPTX, ODT, ODS or ODP');
}

/** Files of Office before 2007, by the stream that holds their text. */
const legacy: [stream: RegExp, name: string][] = [
  [/^WordDocument$/i, 'an old Word file (.doc): save it as .docx'],
  [/^(?:Workbook|Book)$/i, 'an old Excel file (.xls): save it as .xlsx'],
  [/^PowerPoint Document$/i, 'an old PowerPoint file (.ppt): save it as .pptx'],
];

function readCompound(bytes: Uint8Array): Flow {
  const file = new CompoundFile(bytes);
  const has = (name: RegExp): boolean => file.entries.some(({ path }) => name.test(path));
  if (has(/^EncryptedPackage$/i))
    throw new EngineError('document_encrypted', 'the document is protected by a password', 'file');
  const old = legacy.find(([stream]) => has(stream));
  if (old) throw unsupported(`the file is ${old[1]}`);
  if (has(/^__properties_version1\.0$/i)) return readMsg(file);
  throw unsupported('the file is no mail of Outlook and no document that can be read');
}

const isWebPage = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|table|ul|ol|section|article|main|span|style|script)\b/i.test(
    text.slice(0, 1 << 14),
  );

const guessedCharset =
  'The file does not tell how its letters are encoded, and is not UTF-8: it was read as windows-1252.';

function readText(bytes: Uint8Array): Flow {
  const rich = readRichText(bytes);
  if (rich.html !== null) return readWebPage(rich.html);
  if (rich.text !== null) return readPlainText(rich.text);
  const charset = /<meta[^>]+charset=["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString('latin1'),
  )?.[1];
  const text = bytesToText(bytes, null);
  if (isWebPage(text)) return readWebPage(charset ? bytesToText(bytes, charset) : text);
  if (isCard(text)) {
    const card = readCard(text);
    return { ...readPlainText(card.text), warnings: card.warnings };
  }
  const delimiter = delimiterOf(text);
  const flow =
    delimiter === null || /^#{1,6}\s/m.test(text) ? readPlainText(text) : readDelimitedText(text, delimiter);
  return charset || !isGuessed(bytes) ? flow : { ...flow, warnings: [...flow.warnings, guessedCharset] };
}

/**
 * Reads the file as the first kind that its bytes fit.
 * @throws unsupported_media, document_encrypted or document_unreadable
 */
export function readFlow(bytes: Uint8Array): Flow {
  if (isZip(bytes)) return readPackage(bytes);
  if (isCompoundFile(bytes)) return readCompound(bytes);
  if (!isTextFile(bytes)) throw unsupported('the file is of no kind that can be read');
  return isMail(bytes) ? readEml(bytes) : readText(bytes);
}
