import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';

const MAX_DEPTH = 24;
const MAX_FIELDS = 2048;

/**
 * Puts a JSON value into an event's fields under dotted names (`userIdentity.type`). List items share their list's name, so
 * that a rule's `field: value` matches any of them, as Sigma backends do. Deep or huge values are cut, never refused.
 */
export function flattenJson(event: LogEvent, value: unknown, prefix = '', depth = 0): void {
  if (event.fields.size > MAX_FIELDS || depth > MAX_DEPTH) return;
  if (value === null || value === undefined) {
    if (prefix !== '' && !event.fields.has(prefix.toLowerCase())) event.fields.set(prefix.toLowerCase(), []);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) flattenJson(event, item, prefix, depth + 1);
    return;
  }
  if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      flattenJson(event, item, prefix === '' ? name : `${prefix}.${name}`, depth + 1);
    }
    return;
  }
  addField(event, prefix === '' ? 'message' : prefix, String(value));
}
