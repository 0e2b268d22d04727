/** Errors, events, pings and the end of a stream, as each protocol writes them. */
import type { OperationSpec } from '../../api/operation-spec.ts';
import type { ApiError, ErrorBody } from '../../errors.ts';

export interface Dialect {
  /** The body of an error answer. */
  errorBody(error: ApiError, requestId: string): unknown;
  /** Of a stream. */
  contentType: string;
  /** One event, as it goes out. */
  event(value: unknown): string;
  /** The last event of a stream that failed. */
  failure(error: ApiError, requestId: string): string;
  /** Keeps a silent connection open; empty where the protocol has nothing for it. */
  ping: string;
  /** Behind the last event of a whole answer. */
  end: string;
}

const eventStream = 'text/event-stream; charset=utf-8';
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
/** Events that are told apart by a name, which is their type. */
const namedEvent = (value: unknown): string => `event: ${(value as { type: string }).type}\n${data(value)}`;

/** Chat completions, and all that is Lokal's own (contract: "Error envelope"). */
const plain: Dialect = {
  errorBody: (error) => error.toBody(),
  contentType: eventStream,
  event: data,
  failure: (error) => data(error.toBody()),
  ping: ': ping\n\n',
  end: 'data: [DONE]\n\n',
};

const responses: Dialect = {
  ...plain,
  event: namedEvent,
  // The envelope for SDKs, which raise it; beside it the fields that Responses names.
  failure(error) {
    const body = error.toBody();
    const { code, message, param } = body.error;
    return namedEvent({ type: 'error', code, message, param, ...body });
  },
  end: '',
};

const messages: Dialect = {
  errorBody: toAnthropicBody,
  contentType: eventStream,
  event: namedEvent,
  failure: (error, requestId) => namedEvent(toAnthropicBody(error, requestId)),
  ping: namedEvent({ type: 'ping' }),
  end: '',
};

const ollama: Dialect = {
  errorBody: ({ message }) => ({ error: message }),
  contentType: 'application/x-ndjson',
  event: (value) => `${JSON.stringify(value)}\n`,
  failure: ({ message }) => `${JSON.stringify({ error: message })}\n`,
  ping: '',
  end: '',
};

const dialects = { plain, responses, messages, ollama };

export const dialectOf = (spec: OperationSpec | null | undefined): Dialect =>
  dialects[spec?.dialect ?? 'plain'];

const anthropicTypes: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
};

/** Anthropic's types; the code and the field of the one table beside them, and where its SDKs look for a code. */
function toAnthropicBody(error: ApiError, requestId: string) {
  const { message, param, code }: ErrorBody['error'] = error.toBody().error;
  const type = anthropicTypes[error.status] ?? 'invalid_request_error';
  return {
    type: 'error',
    error: { type, message, param, code, details: { error_code: code } },
    request_id: requestId,
  };
}
