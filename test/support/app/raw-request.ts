/** Bytes on a socket: a client library would put a request right before it leaves. */
import { connect } from 'node:net';

/** All that the server sends until it ends the connection. */
export function sendRaw(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
