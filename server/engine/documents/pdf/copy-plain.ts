/**
 * Copies a message of plain values, lists, objects and bytes, as most of pdf.js's are: without the written form that the
 * platform's clone goes over.
 */

const notPlain = Symbol('not plain');
/** Messages lie flat; one that does not may lead back to itself. */
const maxDepth = 8;

/** @param given buffers that the sender gives away: they go over as they are. Null for what holds anything else. */
export function copyPlain<Message extends object>(
  message: Message,
  given: readonly unknown[] = [],
): Message | null {
  const copy = copyValue(message, given, 0);
  return copy === notPlain ? null : (copy as Message);
}

function copyValue(value: unknown, given: readonly unknown[], depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return notPlain;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ArrayBuffer) return given.includes(value) ? value : notPlain;
  if (value instanceof Uint8Array && value.constructor === Uint8Array)
    return given.includes(value.buffer) ? value : value.slice();
  if (depth === maxDepth) return notPlain;
  return Array.isArray(value) ? copyList(value, given, depth) : copyObject(value, given, depth);
}

function copyList(list: readonly unknown[], given: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (const value of list) {
    const own = copyValue(value, given, depth + 1);
    if (own === notPlain) return notPlain;
    copy.push(own);
  }
  return copy;
}

function copyObject(object: object, given: readonly unknown[], depth: number): unknown {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return notPlain;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const own = copyValue((object as Record<string, unknown>)[key], given, depth + 1);
    if (own === notPlain) return notPlain;
    copy[key] = own;
  }
  return copy;
}
