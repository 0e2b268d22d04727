/** JSON with sorted keys: equal values give equal text, whatever order the client wrote them in (after RFC 8785). */
import { hash } from 'node:crypto';

export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`;
}

/** SHA-256 of the canonical text, in hexadecimal. */
export const canonicalHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex');
