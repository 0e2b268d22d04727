/** The native canvas. */

let onFirstUse = (): void => {};

/** Called when a thread first takes the canvas: from then on it cannot be ended in the middle without harm to its host. */
export function whenCanvasIsUsed(listener: () => void): void {
  onFirstUse = listener;
}

/** Loaded on first use: drawing needs it, reading text does not. */
export function loadCanvas(): Promise<typeof import('@napi-rs/canvas')> {
  onFirstUse();
  onFirstUse = () => {};
  return import('@napi-rs/canvas');
}
