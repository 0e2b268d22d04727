/** Engines of the Open Inference Protocol: tried, asked for vectors with our tokens, and refused by name where their tensors are others. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RemoteEngine } from '../../server/api/console/engines.ts';
import type { RemoteAsk } from '../../server/engines/adapter.ts';
import { EngineFault } from '../../server/engines/fault.ts';
import { oipAdapter } from '../../server/engines/oip/adapter.ts';
import { post, startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
let there: Server;
let url: string;
let inputs: { name: string; datatype: string; shape: number[] }[];
let width: number;
let asked: { inputs: { name: string; shape: number[]; data: number[] }[] }[];

const integers = (name: string) => ({ name, datatype: 'INT64', shape: [-1, -1] });

beforeEach(() => {
  inputs = [integers('input_ids'), integers('attention_mask')];
  width = 1024;
  asked = [];
});
beforeAll(async () => {
  there = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader('content-type', 'application/json');
    const answer = answerOf(request.url ?? '', Buffer.concat(chunks).toString());
    if (answer === null) return response.writeHead(404).end('{"error":"no such model"}');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => there.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(there.address() as AddressInfo).port}`;
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  there.close();
});

/** Each row's vector points along the axis of its first token, twice as long as it should be. */
function answerOf(path: string, body: string): object | null {
  if (path === '/v2/health/ready') return { ready: true };
  if (path === '/v2') return { name: 'kserve', version: '0.21' };
  if (path === '/v2/models') return { models: ['encoder'] };
  if (path === '/v2/models/encoder')
    return { name: 'encoder', inputs, outputs: [{ name: 'v', datatype: 'FP32', shape: [-1, width] }] };
  if (path !== '/v2/models/encoder/infer') return null;
  const given = JSON.parse(body) as (typeof asked)[number];
  asked.push(given);
  const [rows, length] = given.inputs[0]!.shape as [number, number];
  const data = Array.from({ length: rows }, (_, row) => {
    const axis = given.inputs[0]!.data[row * length]! % width;
    return Array.from({ length: width }, (__, at) => (at === axis ? 2 : 0));
  }).flat();
  return { outputs: [{ name: 'v', datatype: 'FP32', shape: [rows, width], data }] };
}

const add = (name: string, role = 'svc-embed-base') =>
  post<RemoteEngine>(
    `${server.url}/console/engines`,
    { name, kind: 'oip', base_url: url, models: [{ role, model: 'encoder' }] },
    server.session,
  );

describe('an engine of the Open Inference Protocol', () => {
  it('is tried and found to make our vectors', async () => {
    const { health, trial } = await add('good');
    expect(trial).toMatchObject({
      passed: true,
      server: 'kserve 0.21',
      found: ['encoder'],
      models: [{ usable: true, dimensions: 1024 }],
    });
    expect(health.state).toBe('healthy');
  });

  it('is refused by name where its tensors are others', async () => {
    const reasonOf = async (name: string, role?: string) => {
      const { trial } = await add(name, role);
      expect(trial?.passed).toBe(false);
      return trial?.checks.find(({ outcome }) => outcome === 'failed')?.detail;
    };
    inputs = [...inputs, integers('pixel_values')];
    expect(await reasonOf('strange')).toBe('it wants an input pixel_values');
    inputs = [integers('input_ids')];
    expect(await reasonOf('no-mask')).toBe('it has no input attention_mask');
    inputs = [integers('input_ids'), integers('attention_mask')];
    width = 768;
    expect(await reasonOf('narrow')).toBe('no output is one vector of 1024 numbers a row');
    expect(await reasonOf('chat', 'svc-lingua-7b')).toContain('not asked over this protocol');
  });

  it('gets the tokens of the pack here, rows of one length together, and its vectors come back in order at length 1', async () => {
    await add('asked');
    const key = await post<{ secret: string }>(
      `${server.url}/console/keys`,
      { name: 'away', plan: 'enterprise', scopes: ['embeddings', 'upstream'] },
      server.session,
    );
    asked = [];
    const ask = (input: string[]) =>
      fetch(`${server.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'svc-embed-base', input }),
      });
    const answer = await ask(['satu', 'a longer text of several words', 'satu']);
    expect(answer.headers.get('x-lokal-upstream')).toMatch(/^(good|asked)$/);
    const { data, usage } = (await answer.json()) as {
      data: { embedding: number[] }[];
      usage: { prompt_tokens: number };
    };
    expect(asked.map(({ inputs: [ids] }) => ids!.shape[0])).toEqual([2, 1]);
    const sent = asked.flatMap(({ inputs: [ids] }) => ids!.data);
    expect(usage.prompt_tokens).toBe(sent.length);
    expect(data[0]!.embedding).toEqual(data[2]!.embedding);
    expect(data.map(({ embedding }) => Math.max(...embedding))).toEqual([1, 1, 1]);
    expect((await ask(['fine', ''])).status).toBe(400);
  });

  it('whose answer has another size is at fault', async () => {
    width = 768;
    const ask = {
      model: 'encoder',
      caller: null,
      signal: new AbortController().signal,
      tokenIds: async () => ({ rows: [[1, 2]] }),
      connection: {
        send: async () => ({
          status: 200,
          headers: {},
          chunks: (async function* () {
            yield Buffer.from('{"outputs":[{"name":"v","datatype":"FP32","shape":[1,2],"data":[1,0]}]}');
          })(),
        }),
      },
    } as unknown as RemoteAsk;
    await expect(oipAdapter.methods.embeddings!.embed!({ texts: ['a'] }, ask)).rejects.toThrow(EngineFault);
  });
});
