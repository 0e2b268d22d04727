/**
 * Console sessions: a one-time token, printed or handed over by the desktop window, is exchanged for a session that the
 * browser keeps in a cookie. Only hashes are stored; the `lokal` command can issue a token while the server runs.
 */
import { hash, randomBytes } from 'node:crypto';
import type { ConsoleCredentialStore } from '../../db/console-credentials.ts';
import { ApiError } from '../../errors.ts';

export const tokenLifeMs = 3_600_000;
export const sessionLifeMs = 30 * 86_400_000;

export interface ConsoleSessions {
  issueToken(): string;
  /** @throws ApiError session_required when the token is unknown, used or expired */
  exchange(token: string): string;
  isValid(session: string): boolean;
  deleteExpired(): void;
}

export function createConsoleSessions(store: ConsoleCredentialStore, now: () => number): ConsoleSessions {
  const issue = (kind: 'token' | 'session', lifeMs: number): string => {
    const secret = randomBytes(32).toString('base64url');
    store.add(toHash(secret), kind, now() + lifeMs);
    return secret;
  };

  return {
    issueToken: () => issue('token', tokenLifeMs),
    exchange(token) {
      const expiry = store.take(toHash(token), 'token');
      if (expiry === undefined || expiry <= now()) {
        throw new ApiError(
          'session_required',
          'This link was used or has expired. `lokal console-url` prints a new one.',
        );
      }
      return issue('session', sessionLifeMs);
    },
    isValid: (session) => (store.expiry(toHash(session), 'session') ?? 0) > now(),
    deleteExpired: () => store.deleteExpired(now()),
  };
}

const toHash = (secret: string) => hash('sha256', secret, 'base64url');
