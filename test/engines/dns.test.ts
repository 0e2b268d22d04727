/** Names and addresses of engines: what is checked is what is dialled, every time, and nothing leads elsewhere. */
import type { LookupAddress, LookupAllOptions, lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { addressFault, readBaseUrl } from '../../server/engines/address.ts';
import { EngineConnection, readText } from '../../server/engines/connection.ts';
import { codeOf, openTestApp, send } from '../support/app/test-app.ts';
import { recordingLedger } from '../support/engines/recording-ledger.ts';
import { startScriptedEngine } from '../support/engines/scripted-engine.ts';

const secret = 'sk-their-own-secret-0001';
const timeouts = { connect_ms: 2_000, first_byte_ms: 2_000, silence_ms: 2_000, total_ms: 5_000 };
const home: LookupAddress = { address: '127.0.0.1', family: 4 };
const metadata: LookupAddress = { address: '169.254.169.254', family: 4 };
const neverDialled = 'its host has an address that is never dialled (link-local, metadata or reserved)';

/** Answers look-ups from a script, one after the other; the last one stays. */
function scriptedResolver(...answers: LookupAddress[][]) {
  const names: string[] = [];
  const resolve = ((name: string, _: LookupAllOptions, done: (e: null, found: LookupAddress[]) => void) => {
    names.push(name);
    const answer = answers[Math.min(names.length, answers.length) - 1]!;
    queueMicrotask(() => done(null, answer));
  }) as unknown as typeof lookup;
  return { names, resolve };
}

function open(url: string, resolve: typeof lookup) {
  const ledger = recordingLedger();
  const address = readBaseUrl(url, true);
  const connection = new EngineConnection({
    ...{ name: 'gpu-1', address, secret, ca: null, fingerprint: null, timeouts, ledger, resolve },
  });
  const get = async () => {
    const signal = new AbortController().signal;
    return readText(await connection.send({ path: '/health', signal, caller: null }), 1_000);
  };
  return { connection, get, ledger };
}

describe('a name', () => {
  it('that changes between two connections is looked up and checked for each', async () => {
    const engine = await startScriptedEngine({ secret });
    const { names, resolve } = scriptedResolver([home], [metadata]);
    const { connection, get, ledger } = open(`http://localhost:${engine.port}`, resolve);
    expect(await get()).toBe('{"status":"ok"}');
    // The kept connection goes, so that the next request has to dial.
    await engine.kill();
    await engine.restart();
    await expect(get()).rejects.toMatchObject({ kind: 'connect', message: neverDialled });
    // One look-up a connection: the addresses that were checked are those that are dialled.
    expect(names).toEqual(['localhost', 'localhost']);
    expect(ledger.lines.map(({ outcome }) => outcome)).toEqual(['allowed', 'refused']);
    connection.close();
  });

  it.each<[string, LookupAddress[], string]>([
    ['a metadata address', [metadata], neverDialled],
    ['a metadata address behind a good one', [{ address: '10.0.0.5', family: 4 }, metadata], neverDialled],
    ['a metadata address as IPv6', [{ address: '::ffff:169.254.169.254', family: 6 }], neverDialled],
    ['Amazon’s metadata address', [{ address: 'fd00:ec2::254', family: 6 }], neverDialled],
    ['a link-local address', [{ address: 'fe80::1', family: 6 }], neverDialled],
    ['no address at all', [{ address: '0.0.0.0', family: 4 }], neverDialled],
    ['this machine', [home], 'its host leads back to this machine under another name'],
  ])('that leads to %s is never dialled', async (_, found, message) => {
    const engine = await startScriptedEngine({ secret });
    const { connection, get, ledger } = open(
      `http://gpu.example:${engine.port}`,
      scriptedResolver(found).resolve,
    );
    await expect(get()).rejects.toMatchObject({ kind: 'connect', message });
    expect(ledger.lines).toMatchObject([{ outcome: 'refused', reason: message }]);
    expect(JSON.stringify(ledger.lines)).not.toContain(secret);
    connection.close();
  });
});

describe('an address', () => {
  it.each(['10.0.0.5', '192.168.1.20', '172.16.0.9', 'fd12:3456::7', '8.8.8.8'])(
    '%s may be dialled',
    (each) => expect(addressFault(each, false)).toBeNull(),
  );

  it('of this machine is for records that name it', () => {
    expect([addressFault('127.0.0.1', true), addressFault('::1', true)]).toEqual([null, null]);
    expect([addressFault('127.0.0.1', false), addressFault('::1', false)]).not.toContain(null);
  });

  it.each([
    'http://169.254.169.254',
    'http://[::ffff:169.254.169.254]',
    'http://2852039166',
    'http://0xa9fea9fe',
    'https://100.100.100.200',
    'https://[fd00:ec2::254]',
    'https://0.0.0.0',
    'https://224.0.0.1',
  ])('%s is refused with the record, whatever the switch', (url) =>
    expect(() => readBaseUrl(url, true)).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'base_url' }),
    ),
  );
});

describe('plain http beyond this machine', () => {
  it('is refused, and taken with the switch', async () => {
    const test = openTestApp();
    const add = (allow_http: boolean) =>
      test.app.inject({
        method: 'POST',
        url: '/console/engines',
        headers: test.session(),
        payload: { name: 'far', kind: 'openai', base_url: 'http://gpu.example:8000', secret, allow_http },
      });
    const refused = await add(false);
    expect([refused.statusCode, refused.json().error.param]).toEqual([400, 'base_url']);
    // Sealed, as these tests are: it is kept and not dialled.
    const taken = await add(true);
    expect(taken.json()).toMatchObject({ allow_http: true, health: { reason: 'Lokal is sealed' } });
  });
});

describe('a redirect', () => {
  it.each([302, 307])('%i to a metadata address is not followed', async (status) => {
    const engine = await startScriptedEngine({ secret });
    const test = openTestApp();
    const added = await test.app.inject({
      method: 'POST',
      url: '/console/engines',
      headers: test.session(),
      payload: {
        name: 'gpu-1',
        kind: 'openai',
        base_url: engine.url,
        secret,
        models: [{ role: 'svc-lingua-7b', model: 'tiny' }],
      },
    });
    expect(added.json().trial.passed).toBe(true);
    engine.requests.length = 0;
    engine.behave((_, response) => {
      response.writeHead(status, { location: 'http://169.254.169.254/latest/meta-data' });
      response.end();
      return true;
    });
    const key = test.key({ scopes: ['chat', 'upstream'] });
    const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }] };
    const answer = await send(test, '/v1/chat/completions', key, { body });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'upstream_error']);
    expect(engine.requests.length).toBe(1);
    const hosts = test.services.connections.latest(100).map(({ host }) => host);
    expect(new Set(hosts)).toEqual(new Set([`127.0.0.1:${engine.port}`]));
    expect(test.log.join() + answer.body).not.toContain('169.254');
    expect(test.log.join() + answer.body).not.toContain(secret);
  });
});
