/**
 * Console sessions: a one-time token, printed or handed over by the desktop window, is exchanged for a session of two
 * secrets. One is a cookie, which reaches every port of this host; the other is kept by the page, per origin, and sent as
 * a header, so that a program listening on another port never sees it. Only hashes are stored; the `lokal` command can
 * issue a token while the server runs.
 */
import { hash, randomBytes } from 'node:crypto';
import type { ConsoleCredentialStore } from '../../db/access/console-credentials.ts';
import type { ConsoleSessionStore, SessionRow } from '../../db/access/console-sessions.ts';
import { ApiError } from '../../errors.ts';
import { actAs } from '../audit/actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';

const tokenLifeMs = 3_600_000;
export const idleLifeMs = 12 * 3_600_000;
/** Uses within it are written once. */
const touchEveryMs = 60_000;
const longestAgent = 300;

export interface StartedSession {
  id: string;
  cookie: string;
  /** The secret that the page keeps and sends as a header. */
  secret: string;
}

export interface SessionCredentials {
  cookie: string | undefined;
  secret: string | undefined;
}

export interface ConsoleSessions {
  /** Opens the console to this machine's commands while this process lives: in no table, so that a full disk is no obstacle. */
  readonly commandSecret: string;
  issueToken(): string;
  /**
   * Starts a session; the one whose cookie the browser had is replaced by it.
   * @throws ApiError session_required when the token is unknown, used or expired
   */
  exchange(token: string, browser?: { agent?: string; cookie?: string | undefined }): StartedSession;
  /** The id of the session that both secrets belong to, which counts as used now; null where there is none. */
  admit(credentials: SessionCredentials): string | null;
  /** A live session's cookie, without the page's secret: enough to read the API's documentation, for nothing else. */
  hasCookie(cookie: string | undefined): boolean;
  list(): SessionRow[];
  /** @throws ApiError not_found */
  end(id: string): void;
  /** Ends every session and every link that has not been opened yet. */
  endAll(): void;
  /** Tells of each session that ended, by whatever cause and process. */
  onEnded(listener: (id: string) => void): void;
  /** After another process changed the database. */
  renew(): void;
  deleteExpired(): void;
}

export interface SessionStores {
  consoleCredentials: ConsoleCredentialStore;
  consoleSessions: ConsoleSessionStore;
}

export function createConsoleSessions(
  stores: SessionStores,
  now: () => number,
  audit: AuditLog,
): ConsoleSessions {
  const { consoleCredentials: tokens, consoleSessions: sessions } = stores;
  const listeners: ((id: string) => void)[] = [];
  const commandSecret = randomBytes(32).toString('base64url');
  const commandHash = toHash(commandSecret);
  let known = new Set(sessions.all().map(({ id }) => id));

  function renew(): void {
    const current = new Set(sessions.all().map(({ id }) => id));
    const ended = [...known].filter((id) => !current.has(id));
    known = current;
    for (const id of ended) for (const listener of listeners) listener(id);
  }

  function find(cookie: string | undefined): SessionRow | undefined {
    const row = cookie === undefined ? undefined : sessions.byCookie(toHash(cookie));
    return row && row.usedMs + idleLifeMs > now() ? row : undefined;
  }

  function start(agent: string): StartedSession {
    const session = {
      id: `ses_${randomBytes(8).toString('hex')}`,
      cookie: randomBytes(32).toString('base64url'),
      secret: randomBytes(32).toString('base64url'),
    };
    const row = {
      id: session.id,
      cookieHash: toHash(session.cookie),
      pageHash: toHash(session.secret),
      agent: agent.slice(0, longestAgent),
      createdMs: now(),
      usedMs: now(),
    };
    const act = { action: 'session.start', target: row.id, changes: { agent: row.agent } };
    actAs(`console ${row.id}`, () => audit.act(act, () => sessions.insert(row)));
    return session;
  }

  return {
    commandSecret,

    issueToken() {
      const token = randomBytes(32).toString('base64url');
      tokens.add(toHash(token), now() + tokenLifeMs);
      return token;
    },

    exchange(token, { agent = '', cookie } = {}) {
      const expiry = tokens.take(toHash(token));
      if (expiry === undefined || expiry <= now()) {
        throw new ApiError(
          'session_required',
          'This link was used or has expired. `lokal console-url` prints a new one.',
        );
      }
      const replaced = find(cookie);
      if (replaced) sessions.remove(replaced.id);
      const session = start(agent);
      renew();
      return session;
    },

    admit({ cookie, secret }) {
      if (isCommand(cookie)) return secret !== undefined && toHash(secret) === commandHash ? cookie : null;
      const row = secret === undefined ? undefined : find(cookie);
      if (!row || row.pageHash !== toHash(secret!)) return null;
      if (now() - row.usedMs >= touchEveryMs) sessions.touch(row.id, now());
      return row.id;
    },

    hasCookie: (cookie) => find(cookie) !== undefined,
    list: () => sessions.all().filter(({ usedMs }) => usedMs + idleLifeMs > now()),

    end(id) {
      // Recorded are a command's changes, not each of its visits.
      if (isCommand(id)) {
        for (const listener of listeners) listener(id);
        return;
      }
      audit.act({ action: 'session.end', target: id }, () => {
        if (!sessions.remove(id))
          throw new ApiError('not_found', 'There is no such session.', { param: 'id' });
      });
      renew();
    },

    endAll() {
      audit.act({ action: 'session.end_all', changes: { sessions: sessions.all().length } }, () => {
        tokens.clear();
        sessions.clear();
      });
      renew();
    },

    onEnded: (listener) => void listeners.push(listener),
    renew,

    deleteExpired() {
      tokens.deleteExpired(now());
      sessions.removeIdle(now() - idleLifeMs);
      renew();
    },
  };
}

const commandPrefix = 'command_';
/** The session of one command, by an id of its own. */
export const commandSession = (): string => commandPrefix + randomBytes(8).toString('hex');
export const isCommand = (id: string | undefined): id is string => /^command_[0-9a-f]{16}$/.test(id ?? '');

const toHash = (secret: string) => hash('sha256', secret, 'base64url');
