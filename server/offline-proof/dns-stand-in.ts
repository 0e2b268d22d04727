/** Stands in for every name server there is, notes what is asked and answers with an address of nobody (RFC 5737, RFC 3849). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const addresses: Record<number, number[]> = {
  1: [192, 0, 2, 1],
  28: [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
};
const headerBytes = 12;

export interface NameServer {
  close(): void;
}

export async function answerNames(onName: (name: string) => void): Promise<NameServer> {
  const socket = createSocket({ type: 'udp6', ipv6Only: false });
  socket.on('message', (query, { port, address }) => {
    const asked = readQuestion(query);
    if (!asked) return onName('(not readable)');
    onName(asked.name);
    socket.send(toAnswer(query, asked), port, address, () => {});
  });
  socket.bind(53, '::');
  await once(socket, 'listening');
  return { close: () => socket.close() };
}

interface Question {
  name: string;
  type: number;
  /** Its end in the query. */
  end: number;
}

export function readQuestion(query: Uint8Array): Question | null {
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = query[at];
    if (length === undefined || length > 63) return null;
    at += 1;
    if (length === 0) break;
    labels.push(Buffer.from(query.subarray(at, at + length)).toString('latin1'));
    at += length;
  }
  if (at + 4 > query.length) return null;
  return { name: labels.join('.'), type: (query[at]! << 8) | query[at + 1]!, end: at + 4 };
}

export function toAnswer(query: Uint8Array, { type, end }: Question): Uint8Array {
  const address = addresses[type];
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.set([0x81, 0x80, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0], 2);
  const question = query.subarray(headerBytes, end);
  if (!address) return Buffer.concat([header, question]);
  const record = [0xc0, headerBytes, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address];
  return Buffer.concat([header, question, Uint8Array.from(record)]);
}
