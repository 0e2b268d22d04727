/** Serves the built interface at `/`; its router reads pages behind a `#`, where their plain addresses are sent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../errors.ts';

/** Scripts, styles and connections of this origin alone. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * @param folder of the built interface; where it is absent, only the API is there
 * @param noRoute says why nothing is there
 */
export function serveInterface(
  app: FastifyInstance,
  folder: string,
  noRoute: (request: FastifyRequest) => ApiError,
): void {
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('content-security-policy', pagePolicy);
        // File names below assets/ carry a hash of their content.
        const cacheable = path.includes('/assets/') || path.includes('\\assets\\');
        reply.header('cache-control', cacheable ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (built && isPage(request))
      return plainPage.test(request.url) ? reply.redirect(`/#${request.url}`) : sendPage(reply);
    throw noRoute(request);
  });
}

/** `/chat`, `/threats/rules`, `/documents?sample=1`. */
const plainPage = /^(?:\/[a-z]+){1,2}(?:\?[\w=&.-]*)?$/;

const sendPage = (reply: FastifyReply) => reply.removeHeader('cache-control').sendFile('index.html');

function isPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  const ours = /^\/(v1|console|docs|assets)(\/|$)/.test(url.split('?', 1)[0]!);
  return reads && !ours && (headers.accept ?? '').includes('text/html');
}
