/** The name by which a body speaks of an uploaded part: the digest of its bytes, then its file name. */
import { hash } from 'node:crypto';

const digestLength = 64;

export const nameUpload = (filename: string, bytes: Uint8Array): string =>
  `${hash('sha256', bytes, 'hex')}:${filename}`;

export const fileNameOf = (upload: string): string => upload.slice(digestLength + 1);
