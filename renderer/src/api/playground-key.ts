/** The short-lived key of this page's playgrounds: fetched at the first /v1 call, kept in memory alone, renewed on 401. */
import type { PlaygroundKey } from '../../../server/api/console/console.ts';

/** A key this close to its end is renewed before use, so that no long call starts with it. */
const marginSeconds = 60;

export interface KeySource {
  get(): Promise<string>;
  /** Forgets `secret`, unless another caller has renewed it meanwhile. */
  drop(secret: string): void;
}

export function createKeySource(request: () => Promise<PlaygroundKey>, now = Date.now): KeySource {
  let pending: Promise<PlaygroundKey> | null = null;
  let current: PlaygroundKey | null = null;

  async function renew(): Promise<PlaygroundKey> {
    try {
      current = await request();
      return current;
    } finally {
      pending = null;
    }
  }

  return {
    async get() {
      if (current && current.expires - marginSeconds > now() / 1000) return current.secret;
      pending ??= renew();
      return (await pending).secret;
    },
    drop(secret) {
      if (current?.secret === secret) current = null;
    },
  };
}
