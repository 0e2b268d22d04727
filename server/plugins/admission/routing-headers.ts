/** Headers that say where a request may go: they narrow and name, and never widen what the key allows. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';

const longestSession = 128;
const mostHops = 8;

/** @throws ApiError invalid_value naming the header */
export function readRouting({ headers }: FastifyRequest, caller: Caller): void {
  const { 'x-lokal-local-only': local, 'x-session-id': session, 'x-lokal-hops': hops } = headers;
  if (local !== undefined) {
    if (local !== 'true' && local !== 'false')
      throw new ApiError('invalid_value', 'X-Lokal-Local-Only must be true or false.', {
        param: 'X-Lokal-Local-Only',
      });
    caller.localOnly = local === 'true';
  }
  // Only ever hashed, so that any text will do.
  if (typeof session === 'string' && session !== '') caller.session = session.slice(0, longestSession);
  if (typeof hops !== 'string') return;
  const passed = hops.split(',').map((hop) => hop.trim());
  if (passed.length > mostHops || passed.some((hop) => !/^[A-Za-z0-9_-]{1,64}$/.test(hop)))
    throw new ApiError('invalid_value', `X-Lokal-Hops must be up to ${mostHops} ids.`, {
      param: 'X-Lokal-Hops',
    });
  caller.hops = passed;
}
