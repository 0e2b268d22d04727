/** A document as the playground holds it: its bytes as base64, read once. Nothing of it is stored. */

import { beliedName, sampleBytes } from '../../../server/api/services/named-otherwise.ts';
import { t } from '../strings/t.ts';

export interface SourceFile {
  /** Tells two files of one name apart in the picture cache. */
  id: string;
  name: string;
  sizeBytes: number;
  base64: string;
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

export const samples = { invoice: 'invoice.pdf', form: 'form.pdf' } as const;
export type SampleName = keyof typeof samples;

export const acceptedDocuments =
  '.pdf,.png,.jpg,.jpeg,.tif,.tiff,.docx,.xlsx,.pptx,.odt,.ods,.odp,.html,.htm,.eml,.msg,.csv,.md,.txt';

/** `document`: text read by the parser; `picture`: described in words, with the text found on it; `text`: the file's own. */
export type FileKind = 'document' | 'picture' | 'text';

const documents = /\.(pdf|tiff?|docx|xlsx|pptx|od[tsp]|html?|eml|msg)$/i;
const pictures = /\.(png|jpe?g)$/i;

/** By the name's ending; what is neither a document nor a picture must prove to be text when it is read. */
export const kindOf = (name: string): FileKind =>
  documents.test(name) ? 'document' : pictures.test(name) ? 'picture' : 'text';

/** As base64 a third larger, this fills the largest body that the server takes by default. */
export const maxFileBytes = 48 * 1024 * 1024;

export const toTooLarge = (size: number, most: number): Error =>
  new Error(t('problem.file_too_large', { size: megabytes(size), most: megabytes(most) }));

/** @throws Error for a file that no request can carry, before it is read */
export async function readFile(file: File): Promise<SourceFile> {
  if (file.size === 0) throw new Error(t('problem.file_empty'));
  if (file.size > maxFileBytes) throw toTooLarge(file.size, maxFileBytes);
  const sample = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
  const belied = beliedName(file.name, sample);
  if (belied) throw new Error(t('problem.file_belied', { ending: belied }));
  return { id: crypto.randomUUID(), name: file.name, sizeBytes: file.size, base64: await toBase64(file) };
}

export async function fetchSample(name: SampleName): Promise<SourceFile> {
  const response = await fetch(`/samples/${samples[name]}`);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return readFile(new File([await response.blob()], samples[name]));
}

/** The browser's own encoder, by way of a data URL: hundreds of times faster than btoa over chunks. */
export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(blob);
  });
}
