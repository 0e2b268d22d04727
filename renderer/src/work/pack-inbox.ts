/** Models dropped outside the packs page wait here until it takes them. */
let waiting: File[] = [];
const listeners = new Set<() => void>();

export const packInbox = {
  put(files: File[]): void {
    waiting = files;
    for (const listener of listeners) listener();
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
