/** Tells files whose name promises a binary kind that their bytes are not: `junk` named `bill.pdf`. Pure, the same in every client. */

const binaryNames = /\.(?:pdf|png|jpe?g|tiff?|docx|xlsx|pptx|od[tsp]|msg)$/i;

/** PDF, PNG, JPEG, TIFF, ZIP and the compound files of Office. */
const signatures = ['%PDF-', '\x89PNG', '\xff\xd8\xff', 'II*\0', 'MM\0*', 'PK\x03\x04', '\xd0\xcf\x11\xe0'];

/** So much of a file's begin is looked at. */
export const sampleBytes = 1 << 20;
const leastWords = 20;
const leastHan = 40;

/** A page or a mail that was saved under the name of another kind is worth reading; a few letters are not. */
function isWorthReading(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return (
    (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= leastWords ||
    (text.match(/\p{Script=Han}/gu)?.length ?? 0) >= leastHan
  );
}

/** True for bytes that begin as one of the binary kinds of documents does. */
export function hasDocumentSignature(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  return signatures.some((signature) => head.startsWith(signature));
}

/** The ending of the name that its bytes belie, such as `pdf`; null where they fit, or are of another kind that can be read. */
export function beliedName(name: string, bytes: Uint8Array): string | null {
  if (!binaryNames.test(name)) return null;
  const sample = bytes.subarray(0, sampleBytes);
  if (hasDocumentSignature(sample)) return null;
  if (new TextDecoder('latin1').decode(sample).includes('%PDF-')) return null;
  return isWorthReading(sample) ? null : name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

export const beliedMessage = (ending: string): string =>
  `The file is named .${ending}, but nothing of such a file is in it: it is damaged, or named wrongly.`;
