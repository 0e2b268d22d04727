/** Looks at the request before its sender: unknown routes and methods, media types in and out. */
import type { FastifyRequest } from 'fastify';
import { takesForm } from '../../api/operation-spec.ts';
import { type OperationSpec, operations, splitOperation } from '../../api/operations.ts';
import { ApiError } from '../../errors.ts';

/** @throws ApiError not_acceptable, unsupported_media_type */
export function checkMediaTypes({ headers }: FastifyRequest, spec: OperationSpec): void {
  const { accept } = headers;
  if (accept !== undefined && accept !== '*/*' && accept !== 'application/json') {
    if (!spec.binary && !accepts(accept, spec.event !== undefined)) {
      throw new ApiError(
        'not_acceptable',
        'Answers are application/json or, where streamed, text/event-stream.',
      );
    }
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Compressed bodies are not read.');
  }
  const contentType = headers['content-type'];
  if (contentType !== undefined && takesForm(spec) && /^multipart\/form-data\s*;/i.test(contentType)) return;
  if (spec.multipart) {
    if (contentType === undefined) return;
    throw new ApiError('unsupported_media_type', 'The Content-Type must be multipart/form-data.');
  }
  if (contentType !== undefined && contentType !== 'application/json' && !isJson(contentType)) {
    throw new ApiError('unsupported_media_type', 'The Content-Type must be application/json.');
  }
}

/** With `charset=utf-8` or without; other parameters are ignored (RFC 8259 defines none). */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  return type === 'application/json' && (charset === undefined || charset === 'utf-8' || charset === 'utf8');
}

function accepts(accept: string, events: boolean): boolean {
  const ours = [
    '*/*',
    'application/*',
    'application/json',
    ...(events ? ['text/*', 'text/event-stream', 'application/x-ndjson'] : []),
  ];
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return ours.includes(type) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
    });
}

/** Paths of the operations and of the pages about the server, each with its methods. */
const methodsByPath = new Map<string, string[]>(
  ['/healthz', '/metrics', '/openapi.json', '/docs'].map((path) => [path, ['GET', 'HEAD']]),
);
for (const key of Object.keys(operations)) {
  const { method, path } = splitOperation(key);
  const event = (operations as Record<string, OperationSpec>)[key]?.event;
  const methods = method === 'GET' && !event ? ['GET', 'HEAD'] : [method];
  methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
}
const patterns = [...methodsByPath].map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  methods,
}));

/** 405 with `Allow` where the path exists, else 404; whatever the method is called. */
export function noSuchRoute(url: string): ApiError {
  const path = url.split('?', 1)[0]!;
  const known = patterns.find(({ pattern }) => pattern.test(path));
  if (!known) return new ApiError('not_found', 'There is no such route.');
  const allow = known.methods.join(', ');
  return new ApiError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
