/** Without it, Excel takes UTF-8 for the code page of the machine. */
const byteOrderMark = '\uFEFF';

/** Hands a text to the person as a file. */
export function download(fileName: string, text: string, type = 'application/json'): void {
  const start = type === 'text/csv' ? byteOrderMark : '';
  downloadBlob(fileName, new Blob([start, text], { type: `${type};charset=utf-8` }));
}

export function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** `invoice.pdf` → `invoice.fields.csv` */
export const siblingName = (fileName: string, suffix: string): string =>
  `${fileName.replace(/\.[^.]+$/, '')}.${suffix}`;

/** @param base64 as the server gives files */
export const bytesBlob = (base64: string, type: string): Blob =>
  new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type });
