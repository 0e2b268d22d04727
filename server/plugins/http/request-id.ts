/** x-request-id: the client's own where it is short printable ASCII, else a new one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && acceptable.test(given)) return given;
  return `req_${randomUUID().replaceAll('-', '')}`;
}
