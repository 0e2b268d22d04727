/** Failures of a call in one shape: the server's error envelope, or the server not answering at all. */
import type { ErrorEnvelope } from '../../../server/api/common.ts';

/** Codes of the interface itself, beside those of the server's table. */
export const offlineCode = 'offline';
export const unreadableCode = 'unreadable_answer';

interface ProblemDetails {
  status: number;
  code: string;
  param?: string | null;
  requestId?: string | null;
  retryAfterMs?: number | null;
}

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(message: string, details: ProblemDetails) {
    super(message);
    this.name = 'Problem';
    this.status = details.status;
    this.code = details.code;
    this.param = details.param ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Problem && error.code === code;

export function retryAfterMs(headers: Headers): number | null {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && Number.isFinite(Number(exact))) return Number(exact);
  const seconds = headers.get('retry-after');
  return seconds !== null && Number.isFinite(Number(seconds)) ? Number(seconds) * 1000 : null;
}

/** Reads the envelope of a 4xx or 5xx answer; a proxy's HTML page or an empty body still gives a usable problem. */
export async function toProblem(response: Response): Promise<Problem> {
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(response.headers),
  };
  try {
    const { error } = (await response.json()) as ErrorEnvelope;
    return new Problem(error.message, { ...details, code: error.code, param: error.param });
  } catch {
    return new Problem(`${response.status} ${response.statusText}`.trim(), {
      ...details,
      code: unreadableCode,
    });
  }
}

/** Another try may fare better: the server was away, busy or at fault. What it refused for good it refuses again. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof Problem) ||
  // Away (0), or an error amid a stream that had begun well (200).
  error.status < 400 ||
  error.status >= 500 ||
  [408, 409, 425, 429].includes(error.status);
