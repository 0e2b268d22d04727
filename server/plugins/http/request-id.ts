/** x-request-id: the client's own where it is short printable ASCII, else a new one. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && acceptable.test(given)) return given;
  return nextRequestId();
}

/** Unique, not secret: random per process, then counted. */
const processPart = randomBytes(8).toString('hex');
let count = 0;

export const nextRequestId = (): string => `req_${processPart}${(++count).toString(16).padStart(8, '0')}`;
