/** The trace that an unexpected error leaves: enough to find it in the code, nothing of what was being worked on. */
import { createHash } from 'node:crypto';

export interface FailureTrace {
  /** Name of the error's class. */
  class: string;
  /** The system's or the library's code, e.g. `ENOSPC`. */
  code: string | null;
  /** Innermost frames, as `server/engine/…/file.ts:LINE:COLUMN`. */
  place: string[];
  /** First 8 hexadecimal digits of the SHA-256 of the message: tells two errors of one place apart. */
  hash: string | null;
}

const keptFrames = 6;
const hashDigits = 8;

export function traceOf(error: unknown): FailureTrace {
  if (!(error instanceof Error)) return { class: typeof error, code: null, place: [], hash: null };
  const { code } = error as { code?: unknown };
  return {
    class: /^\w{1,60}$/.test(error.name) ? error.name : 'Error',
    code: typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : null,
    place: placesOf(error.stack ?? ''),
    hash: createHash('sha256').update(error.message).digest('hex').slice(0, hashDigits),
  };
}

/** Of the frames alone: the stack begins with the message, which may quote the payload, and paths name the person's folders. */
function placesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) =>
      /((?:server|node_modules|dist)\/[\w./@-]+|node:[\w/]+|[\w.-]+\.[cm]?[jt]s):(\d+):(\d+)\)?$/.exec(line),
    )
    .filter((match) => match !== null)
    .slice(0, keptFrames)
    .map(([, file, line, column]) => `${file}:${line}:${column}`);
}
