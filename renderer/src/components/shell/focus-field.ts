/** Leads the keyboard to where new work begins: the page's main field. */

/** A page may have to be loaded first. */
const forMs = 10_000;
const everyMs = 60;

/**
 * Waits for the page that is being opened, and stays on its field until the dialog that it was asked from has given its own focus
 * back; whoever presses a key or clicks meanwhile goes where they like. A field of a page that is kept, but not shown, is passed over.
 */
export function focusMainField(main: HTMLElement | null): void {
  const since = performance.now();
  let held = 0;
  const stop = new AbortController();
  for (const event of ['keydown', 'pointerdown'] as const)
    document.addEventListener(event, () => stop.abort(), { capture: true, signal: stop.signal });
  const look = () => {
    if (stop.signal.aborted) return;
    const field = [...(main?.querySelectorAll<HTMLElement>('[data-main-field]') ?? [])].find((each) =>
      each.checkVisibility(),
    );
    held = field && document.activeElement === field ? held + 1 : 0;
    field?.focus();
    if (held < steady && performance.now() - since < forMs) setTimeout(look, everyMs);
    else stop.abort();
  };
  setTimeout(look, everyMs);
}

/** Looks at which the field must have had the focus. */
const steady = 4;
