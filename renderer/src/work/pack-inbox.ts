/** Models dropped outside the packs page, or opened by the system, wait here until it takes them. */
let waiting: File[] = [];
let waitingPath: string | null = null;
const listeners = new Set<() => void>();

export const packInbox = {
  put(files: File[]): void {
    waiting = files;
    for (const listener of listeners) listener();
  },
  /** A file of this machine that the desktop app was asked to open. */
  putPath(path: string): void {
    waitingPath = path;
    for (const listener of listeners) listener();
  },
  takePath(): string | null {
    const path = waitingPath;
    waitingPath = null;
    return path;
  },
  take(): File[] {
    const files = waiting;
    waiting = [];
    return files;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
