import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { limitReceiving, listen } from '../server/listen.ts';
import { answerBrokenRequest } from '../server/plugins/http/error-handler.ts';
import { openTestApp } from './support/app/test-app.ts';

it('ends a request whose body never comes, also where the client keeps its half open, and no slow answer', async () => {
  const stalled = Promise.withResolvers<void>();
  const server = createServer({ connectionsCheckingInterval: 10, headersTimeout: 40 });
  server.on('request', (request, response: ServerResponse) => {
    if (request.url === '/stalled') response.once('close', () => stalled.resolve());
    else void stalled.promise.then(() => response.end('late'));
    request.resume();
  });
  server.on('clientError', answerBrokenRequest);
  limitReceiving(server, 50);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const slow = fetch(`http://127.0.0.1:${port}/slow`, { method: 'POST', body: 'whole' });
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('POST /stalled HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 400');
  await stalled.promise;
  expect(await (await slow).text()).toBe('late');
  client.destroy();
  server.close();
  server.closeAllConnections();
});

/** What the server at `port` of `host` sends back to these bytes. */
async function send(host: string, port: number, bytes: string): Promise<string> {
  const client = connect({ host, port });
  client.end(bytes);
  let answer = '';
  for await (const chunk of client) answer += chunk;
  return answer;
}

it('answers in its own words where Node would refuse by itself', async () => {
  const { app } = openTestApp();
  const config = { host: 'localhost', port: 0, tls: null } as unknown as Parameters<typeof listen>[1];
  const port = Number(new URL((await listen(app, config)).url).port);
  const both = await send('::1', port, '').then(
    () => ['127.0.0.1', '::1'],
    () => ['127.0.0.1'],
  );
  for (const host of both) {
    const nameless = await send(host, port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(nameless).toContain('"code":"host_not_allowed"');
    const head = 'Host: localhost\r\nConnection: close';
    const expecting = await send(host, port, `GET /healthz HTTP/1.1\r\n${head}\r\nExpect: tea\r\n\r\n`);
    expect(expecting).toContain('HTTP/1.1 200');
  }
  await app.close();
});

it('says so where another program holds the second loopback address', async (context) => {
  const other = createServer();
  const held = await once(other.listen(0, '::1'), 'listening').catch(() => null);
  if (!held) context.skip('this machine has no ::1');
  const { port } = other.address() as AddressInfo;
  const { app } = openTestApp();
  const config = { host: 'localhost', port, tls: null } as unknown as Parameters<typeof listen>[1];
  const { url, warning } = await listen(app, config);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(warning).toContain(`[::1]:${port}`);
  await app.close();
  other.close();
});

it('answers CONNECT, and opens no tunnel', async () => {
  const { app } = openTestApp();
  const config = { host: 'localhost', port: 0, tls: null } as unknown as Parameters<typeof listen>[1];
  const { url } = await listen(app, config);
  const answer = await send(
    '127.0.0.1',
    Number(new URL(url).port),
    'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: GET[\s\S]*"code":"method_not_allowed"/);
  await app.close();
});
