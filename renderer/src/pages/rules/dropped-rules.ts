/** Dropped or chosen files, folders walked through: rule files as text, zips as base64. */
import { toBase64 } from '../../components/source-file.ts';

export interface DroppedRules {
  files: { name: string; text: string }[];
  /** base64 of zips; the server opens them. */
  archives: string[];
}

interface Named {
  name: string;
  file: File;
}

/** Everything else in a folder is no matter of ours. */
export async function readRules(all: Named[]): Promise<DroppedRules> {
  const texts = all.filter(({ name }) => /\.ya?ml$/i.test(name));
  const zips = all.filter(({ name }) => /\.zip$/i.test(name));
  return {
    files: await Promise.all(texts.map(async ({ name, file }) => ({ name, text: await file.text() }))),
    archives: await Promise.all(zips.map(({ file }) => toBase64(file))),
  };
}

/** Names of files from a chosen folder are their paths in it. */
export const fromInput = (files: FileList): Named[] =>
  [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));

/** Dropped entries have to be taken during the event itself; walking through it comes after. */
export function fromDrop({ items }: DataTransfer): Promise<Named[]> {
  const taken = [...items].map((item): Promise<Named[]> | Named[] => {
    const entry = item.webkitGetAsEntry();
    if (entry) return walk(entry);
    // A file that lies in no file system, e.g. dragged out of another page.
    const file = item.getAsFile();
    return file ? [{ name: file.name, file }] : [];
  });
  return Promise.all(taken).then((named) => named.flat());
}

async function walk(entry: FileSystemEntry): Promise<Named[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    return [{ name: entry.fullPath.slice(1), file }];
  }
  const inside = await readFolder((entry as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(inside.map(walk))).flat();
}

/** A reader hands out a hundred entries at a time and an empty list at the end. */
async function readFolder(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });
  return batch.length === 0 ? [] : [...batch, ...(await readFolder(reader))];
}
