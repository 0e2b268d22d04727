/** CORS on the API for the origins of the settings, none by default. Never `*`, never with credentials. */
import type { FastifyReply } from 'fastify';
import type { RequestHook } from '../request-hooks.ts';

const exposed = [
  'x-request-id',
  'x-processing-ms',
  'x-model-pack',
  'x-execution-provider',
  'x-lokal-confinement',
  'x-lokal-schema',
  'x-lokal-guardrail',
  'x-lokal-images',
  'x-lokal-upstream',
  'x-lokal-attempts',
  'x-lokal-pseudonyms',
  'x-service-region',
  'idempotent-replayed',
  'retry-after',
  'retry-after-ms',
  ...['limit', 'remaining', 'reset'].flatMap((kind) => [
    `x-ratelimit-${kind}-requests`,
    `x-ratelimit-${kind}-tokens`,
  ]),
].join(', ');

export function allowOrigins(origins: () => readonly string[]): RequestHook {
  return (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !request.url.startsWith('/v1/') || !origins().includes(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      vary: 'Origin',
    });
    const wanted = request.headers['access-control-request-headers'];
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    answerPreflight(reply, wanted);
  };
}

/** SDKs send headers of their own, so whatever an allowed origin asks for is granted. */
function answerPreflight(reply: FastifyReply, wanted: string | undefined): void {
  reply.code(204).headers({
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-max-age': '600',
    ...(wanted ? { 'access-control-allow-headers': wanted } : {}),
  });
  reply.send();
}
