/** The exchanges under way: ended when their key is revoked, and waited for when the server stops. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { ConsoleSessions } from '../services/console/sessions.ts';
import type { KeyDirectory } from '../services/keys/key-directory.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHook } from './request-hooks.ts';

/** Time until a revocation by another process ends what runs; the next request is refused at once in any case. */
const pollMs = 1_000;

export interface InFlightOptions {
  keys: KeyDirectory;
  sessions: Pick<ConsoleSessions, 'onEnded'>;
  /** Milliseconds that requests get to finish once the server stops. */
  graceMs: number;
}

export interface InFlight {
  track: RequestHook;
  count(): number;
}

export function trackInFlight(app: FastifyInstance, { keys, sessions, graceMs }: InFlightOptions): InFlight {
  const inFlight = new Set<Exchange>();
  let stopping = false;
  let allClosed = () => {};

  keys.onRevoked((keyId) => {
    for (const exchange of inFlight) {
      if (exchange.caller?.principal.keyId !== keyId) continue;
      exchange.cancel(new ApiError('revoked_api_key', 'The API key was revoked.'));
    }
  });
  sessions.onEnded((id) => {
    for (const exchange of inFlight) {
      // The answer that says so is let out.
      if (exchange.session === id && isEndless(exchange))
        exchange.cancel(new ApiError('session_required', 'The console session was ended.'));
    }
  });
  const poll = setInterval(() => inFlight.size > 0 && keys.poll(), pollMs).unref();

  const drained = (limitMs: number) =>
    new Promise<void>((resolve) => {
      if (inFlight.size === 0) return resolve();
      const timer = setTimeout(resolve, limitMs);
      allClosed = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  app.addHook('preClose', async () => {
    stopping = true;
    clearInterval(poll);
    for (const exchange of inFlight) if (isEndless(exchange)) exchange.cancel(shuttingDown());
    await drained(graceMs);
    for (const exchange of inFlight) exchange.cancel(shuttingDown());
    // Time for the last answers to leave.
    await drained(1_000);
  });

  function track({ exchange }: FastifyRequest, reply: FastifyReply): void {
    if (stopping) {
      reply.header('connection', 'close');
      throw shuttingDown();
    }
    inFlight.add(exchange);
    exchange.onClosed(untrack);
  }

  function untrack(exchange: Exchange): void {
    inFlight.delete(exchange);
    if (stopping && inFlight.size === 0) allClosed();
  }
  return { track, count: () => inFlight.size };
}

/** A console's live events end only with the page. */
const isEndless = ({ spec }: Exchange) => spec?.access === 'console' && spec.event !== undefined;

const shuttingDown = () => new ApiError('shutting_down', 'Lokal is stopping.');
