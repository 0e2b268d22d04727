/** Undo by the keyboard: of the latest that a notice still offers. */

const offered: { id: string; undo: () => void }[] = [];

export function offerUndo(id: string, undo: () => void): void {
  offered.push({ id, undo });
}

export function withdrawUndo(id: string): void {
  const at = offered.findIndex((each) => each.id === id);
  if (at >= 0) offered.splice(at, 1);
}

/** False: there is nothing to take back. */
export function undoLatest(): boolean {
  const latest = offered.at(-1);
  latest?.undo();
  return latest !== undefined;
}
