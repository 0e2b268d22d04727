/** /openapi.json and /docs: for whoever holds a key or a console session. */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { buildOpenApi } from '../openapi/document.ts';
import { docsStyle, renderDocs } from '../openapi/page.ts';

export interface DocsOptions {
  version: string;
  baseUrl: () => string;
  /** Refuses a request without a key or a session. */
  access: onRequestHookHandler;
}

/** A page without scripts; its one style sheet and icon are this server's. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerDocs(app: FastifyInstance, { version, baseUrl, access }: DocsOptions): void {
  app.get('/openapi.json', { onRequest: access }, () => buildOpenApi(version, baseUrl()));
  app.get('/docs', { onRequest: access }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(renderDocs(buildOpenApi(version, baseUrl()))),
  );
  app.get('/docs/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStyle));
}
