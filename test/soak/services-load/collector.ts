/** Full garbage collections in a process started with --inspect, so that what it holds is told from what it has yet to drop. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** For --inspect, which tells the one it chose only in a line for people. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A connection for each: a process does not end while one is open. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(socket, 'message');
  socket.close();
  await once(socket, 'close');
}
