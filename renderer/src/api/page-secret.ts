/**
 * The page's half of the console session. It is kept in localStorage: that is one per origin, port included, while a
 * cookie reaches every port of the host; it outlives a reload, and every tab of this origin shares it as they share the
 * cookie. The cookie goes with the browser, and the session with it.
 */
export interface PageSecret {
  get(): string | null;
  /** null forgets it. */
  set(secret: string | null): void;
}

const name = 'lokal.console';

export const storedSecret = (storage: Storage = localStorage): PageSecret => ({
  get: () => storage.getItem(name),
  set(secret) {
    if (secret === null) storage.removeItem(name);
    else storage.setItem(name, secret);
  },
});

export function memorySecret(kept: string | null = null): PageSecret {
  return {
    get: () => kept,
    set: (secret) => {
      kept = secret;
    },
  };
}
