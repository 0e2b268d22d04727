/** Hands files over to the server piece by piece: a browser does not tell where they lie. */
import type { Client } from '../../../api/client.ts';
import type { DroppedFile } from './dropped-files.ts';

const pieceBytes = 8 * 1024 * 1024;

export interface UploadOptions {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (done: number) => void;
}

/** @returns the upload's id. @throws Problem; what was sent is forgotten then */
export async function upload(client: Client, files: DroppedFile[], options: UploadOptions): Promise<string> {
  const id = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  let done = 0;
  try {
    for (const { path, file } of files) {
      for (let offset = 0; offset < file.size; offset += pieceBytes) {
        const piece = file.slice(offset, offset + pieceBytes);
        const body = { path, offset, data: await toBase64(piece) };
        await client.call('PUT /console/packs/uploads/{id}', {
          params: { id },
          body,
          signal: options.signal,
        });
        done += piece.size;
        options.onProgress(done / total);
      }
    }
    return id;
  } catch (error) {
    await client.call('DELETE /console/packs/uploads/{id}', { params: { id } }).catch(() => undefined);
    throw error;
  }
}

/** The browser's own encoder; it works off the page's thread. */
function toBase64(piece: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(piece);
  });
}
