/** The lines of a batch's input: where they lie, and what is wrong with their form. */
import type { BatchEndpoint, BatchError } from '../../api/protocols/batches.ts';

export interface InputLine {
  customId: string;
  body: Record<string, unknown>;
}

export interface InputLines {
  /** Byte offsets of lines that are not blank: from, to, and the line's number in the file, from 1. */
  places: { from: number; to: number; number: number }[];
  /** The first of them; a file with any is not begun. */
  errors: BatchError[];
}

const mostLines = 50_000;
const mostErrors = 100;
/** Other work gets its turn after so many bytes. */
const bytesAtOnce = 1024 * 1024;

/** Checks every line, giving way to other work now and then. */
export async function checkInput(bytes: Buffer, endpoint: BatchEndpoint): Promise<InputLines> {
  const places: InputLines['places'] = [];
  const errors: BatchError[] = [];
  const seen = new Set<string>();
  let pausedAt = 0;
  for (let from = 0, number = 1; from < bytes.length && errors.length < mostErrors; number += 1) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end;
    if (!isBlank(bytes, from, to)) {
      const fault =
        places.length === mostLines ? tooMany() : faultOf(bytes.subarray(from, to), endpoint, seen);
      if (fault) errors.push({ ...fault, line: number });
      if (places.length === mostLines) break;
      places.push({ from, to, number });
    }
    from = to + 1;
    if (from - pausedAt > bytesAtOnce) {
      pausedAt = from;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (places.length === 0) errors.push(fault('empty_file', 'The input file has no lines.', null));
  return { places, errors };
}

/** Of a line that `checkInput` has found right. */
export function readLine(bytes: Buffer, { from, to }: { from: number; to: number }): InputLine {
  const { custom_id: customId, body } = JSON.parse(bytes.toString('utf8', from, to)) as {
    custom_id: string;
    body: Record<string, unknown>;
  };
  return { customId, body };
}

const fault = (code: string, message: string, param: string | null): BatchError => ({
  code,
  message,
  param,
  line: null,
});
const tooMany = () => fault('too_many_tasks', `A batch has at most ${mostLines} lines.`, null);

function faultOf(bytes: Buffer, endpoint: BatchEndpoint, seen: Set<string>): BatchError | null {
  let line: unknown;
  try {
    line = JSON.parse(bytes.toString('utf8'));
  } catch {
    return fault('invalid_json_line', 'The line is not valid JSON.', null);
  }
  if (!isObject(line)) return fault('invalid_json_line', 'The line is not an object.', null);
  const { custom_id: id, method, url, body } = line;
  if (typeof id !== 'string' || id === '' || id.length > 512)
    return fault('invalid_custom_id', 'custom_id must be a text of 1 to 512 characters.', 'custom_id');
  if (seen.has(id)) return fault('duplicate_custom_id', 'custom_id appears twice in the file.', 'custom_id');
  seen.add(id);
  if (method !== 'POST') return fault('invalid_method', 'method must be POST.', 'method');
  if (url !== endpoint)
    return fault('mismatched_endpoint', `url must be ${endpoint}, as the batch’s.`, 'url');
  return isObject(body) ? null : fault('missing_required_parameter', 'body must be an object.', 'body');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at]! > 0x20) return false;
  return true;
}
