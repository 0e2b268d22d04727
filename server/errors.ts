/**
 * The one table of API errors (contract: "Error envelope"). Every code that can leave the server stands here once; the
 * OpenAPI document publishes it and test/errors.test.ts ties the two together.
 */

export interface ErrorKind {
  status: number;
  type: string;
  /** One sentence for the published table: when it is sent. */
  when: string;
  /** Seconds for a `Retry-After` header, where waiting helps and nothing more precise is known. */
  retryAfter?: number;
}

const invalid = (status: number, when: string): ErrorKind => ({
  status,
  type: 'invalid_request_error',
  when,
});
const denied = (status: 401 | 403, when: string): ErrorKind => ({
  status,
  type: status === 401 ? 'authentication_error' : 'permission_error',
  when,
});
const unavailable = (when: string, retryAfter?: number): ErrorKind => ({
  status: 503,
  type: 'service_unavailable_error',
  when,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

export const errorTable = {
  invalid_json: invalid(400, 'The body is not valid JSON.'),
  missing_field: invalid(400, 'A required field is absent.'),
  invalid_value: invalid(400, 'A field has a value outside what the contract allows.'),
  unknown_parameter: invalid(400, 'A field that the operation does not know.'),
  context_length_exceeded: invalid(400, 'The prompt and the answer do not fit the model’s window.'),
  unsupported_media: invalid(400, 'The image, video or document is of a kind that is not read.'),
  invalid_page_range: invalid(400, 'The page selection is malformed, out of range or longer than 20 pages.'),
  url_fetch_disabled: invalid(400, 'Fetching URLs is switched off in the settings.'),
  url_not_allowed: invalid(400, 'The URL’s host or address is not one that may be fetched.'),
  document_encrypted: invalid(400, 'The document needs a password.'),
  document_unreadable: invalid(400, 'The document is damaged or not what it claims to be.'),
  too_many_inputs: invalid(400, 'More inputs than one request may carry.'),
  input_too_long: invalid(400, 'An input is longer than the operation or the model takes.'),
  content_blocked: invalid(400, 'A guardrail of the installation refuses the prompt.'),
  missing_api_key: denied(401, 'No Authorization header of the form “Bearer sk-svc-…”.'),
  invalid_api_key: denied(401, 'The key is malformed or unknown.'),
  expired_api_key: denied(401, 'The key’s expiry has passed.'),
  revoked_api_key: denied(401, 'The key was revoked.'),
  ip_not_allowed: denied(403, 'The request comes from outside the key’s allowlist.'),
  insufficient_scope: denied(403, 'The key does not have the scope of this operation.'),
  model_not_allowed: denied(403, 'The key may not use this model.'),
  region_not_allowed: denied(403, 'X-Service-Region needs an enterprise key.'),
  plan_required: denied(403, 'The key’s plan does not include this feature.'),
  local_only: denied(
    403,
    'The key or the request is to stay on this machine, which does not serve the model.',
  ),
  host_not_allowed: denied(403, 'The Host header is not this server’s name.'),
  session_required: denied(401, 'The console needs its session; open the address that `lokal` prints.'),
  not_found: invalid(404, 'No such route or object.'),
  model_not_found: invalid(404, 'No such model for this key.'),
  method_not_allowed: invalid(405, 'The path exists, the method does not; see `Allow`.'),
  not_acceptable: invalid(406, 'The answer is JSON or an event stream; `Accept` excludes both.'),
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    when: 'A request with this Idempotency-Key is still running.',
    retryAfter: 1,
  },
  conflict: invalid(409, 'The object is in a state that does not allow this.'),
  payload_too_large: invalid(413, 'The body exceeds the limit of the operation.'),
  unsupported_media_type: invalid(415, 'The Content-Type is not application/json.'),
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    when: 'The Idempotency-Key was used with another body.',
  },
  rate_limit_error: {
    status: 429,
    type: 'rate_limit_error',
    when: 'The plan’s requests, tokens or concurrent requests are used up.',
  },
  client_closed_request: {
    status: 499,
    type: 'invalid_request_error',
    when: 'Logged only: the client went away.',
  },
  internal_error: {
    status: 500,
    type: 'server_error',
    when: 'A defect of the server; the request id finds it in the log.',
  },
  model_not_installed: unavailable('No pack is bound to the model’s role.'),
  model_loading: unavailable('The model is still loading.', 5),
  engine_crashed: unavailable('The engine process ended while it worked on the request.', 1),
  host_not_confined: unavailable(
    'The engine’s process cannot be confined here, and the settings require it.',
  ),
  upstream_unavailable: unavailable('No remote engine of the service can be asked now.', 5),
  region_unavailable: unavailable('No engine of the region asked for can be asked now.', 5),
  upstream_error: {
    status: 502,
    type: 'server_error',
    when: 'A remote engine failed, or refuses this server; the message names it.',
    retryAfter: 1,
  },
  upstream_invalid_output: {
    status: 502,
    type: 'server_error',
    when: 'A remote engine’s answer is not what was asked for: schema, tools, size or form.',
    retryAfter: 1,
  },
  upstream_timeout: {
    status: 504,
    type: 'server_error',
    when: 'A remote engine did not answer in its time.',
    retryAfter: 1,
  },
  server_overloaded: unavailable('The queue is full or memory is short.', 2),
  shutting_down: unavailable('The server is stopping.', 5),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

/** The envelope of every 4xx and 5xx body. */
export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

/** An error that may leave the server as it is: its text is for the caller and holds no payload, path or stack. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  /** Milliseconds after which a retry makes sense; overrides the table's. */
  readonly retryAfterMs: number | undefined;
  /** Further response headers, such as `Allow`. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    details: { param?: string | null; retryAfterMs?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  toBody(): ErrorBody {
    return {
      error: { message: this.message, type: errorTable[this.code].type, param: this.param, code: this.code },
    };
  }
}
