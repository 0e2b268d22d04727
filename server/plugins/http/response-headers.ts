/** Headers of every answer: its id and duration, what served it, and the rules for browsers. */
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { RequestHook } from '../request-hooks.ts';

const browserRules = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function addResponseHeaders(app: FastifyInstance): RequestHook {
  app.addHook('onSend', finish);
  return (request, reply) => {
    reply.header('x-request-id', request.id);
    // Answers to programs are never rendered, and each header costs them.
    if (!request.url.startsWith('/v1/')) reply.headers(browserRules);
  };
}

const finish: onSendHookHandler = ({ exchange }, reply, payload, done) => {
  if (exchange) {
    const { pack, provider, confinement, schema, guardrail, pictures, upstream, attempts, pseudonyms } =
      exchange.meter;
    reply.header('x-processing-ms', String(Math.round(performance.now() - exchange.startedAt)));
    if (pack) reply.header('x-model-pack', pack.replace(/[^\x20-\x7e]/g, '?'));
    if (schema) reply.header('x-lokal-schema', schema);
    if (guardrail) reply.header('x-lokal-guardrail', guardrail);
    if (pictures) reply.header('x-lokal-images', pictures);
    if (provider) reply.header('x-execution-provider', provider);
    if (upstream) reply.header('x-lokal-upstream', upstream);
    if (attempts.length > 0) reply.header('x-lokal-attempts', String(attempts.length));
    if (upstream && pseudonyms !== null) reply.header('x-lokal-pseudonyms', String(pseudonyms));
    if (confinement) reply.header('x-lokal-confinement', confinement.replace(/[^\x20-\x7e]/g, '?'));
  }
  done(null, payload);
};
