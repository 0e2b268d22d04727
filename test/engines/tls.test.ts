/** An engine behind TLS: who it is, is settled before a byte of the request, the secret included, leaves this machine. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { readBaseUrl } from '../../server/engines/address.ts';
import { EngineConnection, readText } from '../../server/engines/connection.ts';
import { EngineFault } from '../../server/engines/fault.ts';
import { codeOf, openTestApp, send } from '../support/app/test-app.ts';
import { createAuthority, type TestCertificate } from '../support/engines/certificates.ts';
import { recordingLedger } from '../support/engines/recording-ledger.ts';
import { startScriptedEngine } from '../support/engines/scripted-engine.ts';

const secret = 'sk-their-own-secret-0001';
const authority = createAuthority('Our authority');
const timeouts = { connect_ms: 5_000, first_byte_ms: 5_000, silence_ms: 5_000, total_ms: 10_000 };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Notes what came through TLS, and answers the first request in plain words. */
async function startRecorder({ cert, key }: TestCertificate) {
  let received = '';
  let closed = 0;
  const server = createServer({ cert, key }, (socket: TLSSocket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (received.endsWith('\r\n\r\n'))
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi');
    });
  });
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => socket.on('close', () => (closed += 1)));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** All that was sent to it inside TLS, once a connection has ended. */
    async received(): Promise<string> {
      for (let waited = 0; closed === 0 && waited < 500; waited += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(closed).toBe(1);
      return received;
    },
  };
}

interface Trust {
  ca?: string;
  fingerprint?: string;
}

async function ask(certificate: TestCertificate, { ca, fingerprint }: Trust, host = 'localhost') {
  const recorder = await startRecorder(certificate);
  const ledger = recordingLedger();
  const connection = new EngineConnection({
    name: 'gpu-1',
    address: readBaseUrl(`https://${host}:${recorder.port}`, false),
    secret,
    ca: ca ?? null,
    fingerprint: fingerprint ?? null,
    timeouts,
    ledger,
  });
  const outcome = await connection
    .send({ path: '/v1/models', signal: new AbortController().signal, caller: null })
    .then((response) => readText(response, 100))
    .catch((error: unknown) => error);
  connection.close();
  return { outcome, received: await recorder.received(), ledger };
}

const ours = authority.issue('localhost', '127.0.0.1');

describe('an engine is taken at its word', () => {
  const trusted: [string, TestCertificate, Trust, string][] = [
    ['by a private authority', ours, { ca: authority.ca }, 'localhost'],
    ['by a private authority, at an address', ours, { ca: authority.ca }, '127.0.0.1'],
    ['by its fingerprint alone', ours, { fingerprint: ours.fingerprint }, 'localhost'],
    [
      'by its fingerprint in small letters',
      ours,
      { fingerprint: ours.fingerprint.toLowerCase() },
      'localhost',
    ],
  ];
  it.each(trusted)('%s', async (_, certificate, trust, host) => {
    const { outcome, received, ledger } = await ask(certificate, trust, host);
    expect(outcome).toBe('hi');
    expect(received).toContain(`authorization: Bearer ${secret}`);
    expect(ledger.lines).toMatchObject([{ outcome: 'allowed', reason: 'connected' }]);
  });
});

describe('an engine is refused before anything is sent', () => {
  const other = authority.issue('another.example');
  const refused: [string, TestCertificate, Trust, string][] = [
    ['a certificate of another name', other, { ca: authority.ca }, 'its certificate is for another name'],
    ['an unknown authority', ours, {}, 'its certificate’s authority is unknown; give it as ca'],
    [
      'an authority of the same name with another key',
      ours,
      { ca: createAuthority('Our authority').ca },
      'signature',
    ],
    [
      'another fingerprint, the authority being right',
      ours,
      { ca: authority.ca, fingerprint: other.fingerprint },
      'its certificate is not the one whose fingerprint is pinned',
    ],
  ];
  it.each(refused)('%s', async (_, certificate, trust, why) => {
    const { outcome, received, ledger } = await ask(certificate, trust);
    expect(outcome).toBeInstanceOf(EngineFault);
    expect((outcome as EngineFault).kind).toBe('connect');
    if (why !== 'signature') expect((outcome as EngineFault).message).toBe(why);
    expect(received).toBe('');
    expect(ledger.lines).toMatchObject([{ outcome: 'failed', reason: (outcome as EngineFault).message }]);
    expect((outcome as EngineFault).message + JSON.stringify(ledger.lines)).not.toContain(secret);
  });

  it('one that speaks no TLS', async () => {
    const engine = await startScriptedEngine({ secret });
    const connection = new EngineConnection({
      name: 'gpu-1',
      address: readBaseUrl(engine.url.replace('http:', 'https:'), false),
      secret,
      ca: null,
      fingerprint: null,
      timeouts,
      ledger: recordingLedger(),
    });
    const asked = connection.send({ path: '/', signal: new AbortController().signal, caller: null });
    await expect(asked).rejects.toMatchObject({ kind: 'connect' });
    connection.close();
  });
});

describe('a record', () => {
  const chat = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }] };
  const chatEngine = (url: string, trust: Trust) => ({
    name: 'gpu-1',
    kind: 'openai',
    base_url: url,
    secret,
    models: [{ role: 'svc-lingua-7b', model: 'tiny' }],
    ...trust,
  });

  it.each<[string, Trust]>([
    ['ca', { ca: authority.ca }],
    ['fingerprint', { fingerprint: ours.fingerprint }],
  ])('with %s is tried, and chats', async (_, trust) => {
    const engine = await startScriptedEngine({ secret, tls: ours });
    const test = openTestApp();
    const headers = test.session();
    const added = await test.app.inject({
      method: 'POST',
      url: '/console/engines',
      headers,
      payload: chatEngine(engine.url, trust),
    });
    expect(added.json().trial).toMatchObject({ passed: true });
    const key = test.key({ scopes: ['chat', 'upstream'] });
    const answer = await send(test, '/v1/chat/completions', key, { body: chat });
    expect([answer.statusCode, answer.headers['x-lokal-upstream']]).toEqual([200, 'gpu-1']);
  });

  it('whose authority is unknown says so, is not used, and its secret is in no line', async () => {
    const engine = await startScriptedEngine({ secret, tls: ours });
    const test = openTestApp();
    const added = await test.app.inject({
      method: 'POST',
      url: '/console/engines',
      headers: test.session(),
      payload: chatEngine(engine.url, {}),
    });
    expect(added.json()).toMatchObject({
      health: { state: 'untried', reason: 'live: its certificate’s authority is unknown; give it as ca' },
      trial: { passed: false },
    });
    const key = test.key({ scopes: ['chat', 'upstream'] });
    const answer = await send(test, '/v1/chat/completions', key, { body: chat });
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'upstream_unavailable']);
    expect(engine.requests).toEqual([]);
    expect(test.log.join() + added.body + answer.body).not.toContain(secret);
  });
});
