/** Dropped files with their paths below the drop: a folder comes with all that is in it. */

export interface DroppedFile {
  /** Relative, with `/`. */
  path: string;
  file: File;
}

/** Reads entries before the drop's event is over, since it forgets them then; a source without folders gives its files. */
export function readDrop(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0)
    return Promise.resolve([...transfer.files].map((file) => ({ path: file.name, file })));
  return Promise.all(entries.map((entry) => readEntry(entry))).then((found) => found.flat());
}

async function readEntry(entry: FileSystemEntry): Promise<DroppedFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (path.split('/').some((part) => part.startsWith('.'))) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  // A reader gives at most a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    children.push(...some);
  }
  const below = await Promise.all(children.map((child) => readEntry(child)));
  return below.flat();
}
