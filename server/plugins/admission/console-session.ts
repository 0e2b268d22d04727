/** The console's cookie and header, and the checks that keep other sites from using them. */
import type { FastifyRequest } from 'fastify';
import { secretHeader } from '../../api/console/secret.ts';
import { ApiError } from '../../errors.ts';
import type { SessionCredentials } from '../../services/console/sessions.ts';

/** Cookies do not tell ports apart, so that the name does: two Lokals on one machine keep their sessions. */
const cookieName = (request: FastifyRequest) => `lokal_session_${request.socket.localPort ?? 0}`;

export function sessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (!cookie) return undefined;
  // The value is base64url, so neither quoting nor escapes occur.
  const name = cookieName(request);
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

export function sessionCredentials(request: FastifyRequest): SessionCredentials {
  const secret = request.headers[secretHeader];
  return { cookie: sessionCookie(request), secret: typeof secret === 'string' ? secret : undefined };
}

/** Lasts as long as the browser runs; the server ends it by idleness. @param session null: forget it */
export function toSetCookie(request: FastifyRequest, session: string | null): string {
  const attributes = [
    `${cookieName(request)}=${session ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(session === null ? ['Max-Age=0'] : []),
  ];
  return [...attributes, ...(request.protocol === 'https' ? ['Secure'] : [])].join('; ');
}

/**
 * SameSite=Strict does not hold between ports of one host, so the browser's own account of where a request comes from
 * is asked as well. Programs send neither header.
 * @throws ApiError session_required
 */
export function checkSameOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = `${request.protocol}://${request.headers.host}`;
  const foreign = origin !== undefined && origin.toLowerCase() !== own.toLowerCase();
  if (foreign || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new ApiError('session_required', 'The console answers its own pages only.');
  }
}
