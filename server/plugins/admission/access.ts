/** Who asks: a key on the API, a console session on the console, either on the pages for readers. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Region, regions } from '../../api/common.ts';
import type { OperationSpec } from '../../api/operations.ts';
import { ApiError } from '../../errors.ts';
import type { ConsoleSessions } from '../../services/console/sessions.ts';
import type { KeyDirectory, KnownKey } from '../../services/keys/key-directory.ts';
import { personOf } from '../../services/keys/playground.ts';
import { noSuchRoute } from '../http/negotiation.ts';
import { checkSameOrigin, sessionCookie, sessionCredentials } from './console-session.ts';

export interface AccessDeps {
  keys: KeyDirectory;
  sessions: ConsoleSessions;
}

/** Why nothing is at an address; first of all that the key may not be used from where it is. */
export function noRoute(request: FastifyRequest, keys: KeyDirectory): ApiError {
  const secret = secretOf(request);
  return (secret && keys.foreignAddress(secret, addressOf(request))) || noSuchRoute(request.url);
}

const addressOf = (request: FastifyRequest): string => request.socket.remoteAddress ?? '';

export function secretOf({ headers, exchange }: FastifyRequest): string | undefined {
  const { authorization: header, 'x-api-key': ownKey } = headers;
  // Anthropic's clients send their key under this name, and either way at their choice.
  if (!header && typeof ownKey === 'string' && exchange?.spec?.dialect === 'messages') return ownKey;

  // The scheme's name is case-insensitive (RFC 9110); the common spelling is not worth a regular expression.
  return header?.startsWith('Bearer sk-')
    ? header.slice('Bearer '.length).trimEnd()
    : header && /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

/** @throws ApiError missing_api_key, and what the directory refuses */
export function checkKey(request: FastifyRequest, keys: KeyDirectory): KnownKey {
  const secret = secretOf(request);
  if (!secret) {
    throw new ApiError('missing_api_key', 'Send the API key as “Authorization: Bearer sk-svc-…”.');
  }
  const key = keys.admit(secret, addressOf(request));
  keys.touch(key);
  return key;
}

/** Versions differ in nothing that Lokal answers, so any date will do, and none. @throws ApiError invalid_value */
export function checkProtocolVersion({ headers }: FastifyRequest, { dialect }: OperationSpec): void {
  const version = headers['anthropic-version'];
  if (dialect !== 'messages' || version === undefined || /^202[3-9]-\d\d-\d\d$/.test(String(version))) return;
  const param = 'anthropic-version';
  throw new ApiError('invalid_value', `${param} must be a date such as 2023-06-01.`, { param });
}

/** @throws ApiError insufficient_scope */
export function checkScope({ principal }: KnownKey, { scope }: OperationSpec): void {
  if (scope && !principal.scopes.has(scope)) {
    throw new ApiError('insufficient_scope', `This API key does not have the scope “${scope}”.`);
  }
}

/** @throws ApiError invalid_value, region_not_allowed */
export function checkRegion(request: FastifyRequest, { principal }: KnownKey): Region | null {
  const region = request.headers['x-service-region'];
  if (region === undefined) return null;
  if (!isRegion(region)) {
    throw new ApiError('invalid_value', `X-Service-Region must be one of ${regions.join(', ')}.`, {
      param: 'X-Service-Region',
    });
  }
  if (principal.plan !== 'enterprise') {
    throw new ApiError('region_not_allowed', 'X-Service-Region needs an enterprise key.', {
      param: 'X-Service-Region',
    });
  }
  return region;
}

/**
 * The pack that a chat request names in place of the bound one. Only the console's playground may: which packs are
 * loaded is the person's decision.
 * @throws ApiError insufficient_scope
 */
export function checkPack(
  request: FastifyRequest,
  { principal }: KnownKey,
  { scope }: OperationSpec,
): string | null {
  const pack = request.headers['x-model-pack'];
  if (typeof pack !== 'string' || scope !== 'chat') return null;
  if (personOf(principal.keyId)) return pack;
  throw new ApiError('insufficient_scope', 'X-Model-Pack is for the console’s playground alone.', {
    param: 'X-Model-Pack',
  });
}

const isRegion = (value: unknown): value is Region => (regions as readonly unknown[]).includes(value);

/** @throws ApiError session_required */
export function checkSession(request: FastifyRequest, sessions: ConsoleSessions): void {
  checkSameOrigin(request);
  request.exchange.session = sessions.admit(sessionCredentials(request));
  if (request.exchange.session === null) throw sessionRequired();
}

const sessionRequired = () =>
  new ApiError(
    'session_required',
    'Open the address that `lokal` printed; `lokal console-url` prints a new one.',
  );

/** A key or a console session, for what tells of the server. */
export function readerAccess({ keys, sessions }: AccessDeps): onRequestHookHandler {
  return (request, _reply, done) => {
    if (request.headers.authorization === undefined && sessionCookie(request))
      checkSession(request, sessions);
    else checkKey(request, keys);
    done();
  };
}

/**
 * As readerAccess, but a session's cookie is enough: a link cannot carry a header, and the documentation is the same for
 * every install.
 */
export function docsAccess({ keys, sessions }: AccessDeps): onRequestHookHandler {
  return (request, _reply, done) => {
    const cookie = sessionCookie(request);
    if (request.headers.authorization !== undefined || cookie === undefined) checkKey(request, keys);
    else {
      checkSameOrigin(request);
      if (!sessions.hasCookie(cookie)) throw sessionRequired();
    }
    done();
  };
}
