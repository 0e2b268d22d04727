/** JSON with sorted keys: equal values give equal text, whatever order the client wrote them in (after RFC 8785). */
import { hash } from 'node:crypto';

export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null';

/** Longer texts stand for themselves by their digest: they need not be escaped and copied to be told apart. */
const longText = 16_384;

/** A copy whose fields stand in order. Never of unparsed input: the body parser refuses `__proto__` and deep nesting. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longText) return `sha256:${hash('sha256', value, 'hex')}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) copy[key] = sorted((value as Record<string, unknown>)[key]);
  return copy;
}

/** SHA-256 of the canonical text, in hexadecimal. */
export const canonicalHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex');
