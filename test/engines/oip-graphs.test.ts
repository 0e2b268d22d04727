/** Packs that work here while a graph of theirs runs over the Open Inference Protocol: the same answers, and faults that move on. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineRoute, RemoteEngine } from '../../server/api/console/engines.ts';
import { type ScriptedOip, startScriptedOip } from '../support/engines/scripted-oip.ts';
import { post, startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
let oip: ScriptedOip;
let away: string;

const models = [
  { role: 'svc-shield-base', model: 'shield' },
  { role: 'svc-vision-pro', model: 'detector' },
] as const;

const add = (name: string, given: readonly object[] = models) =>
  post<RemoteEngine>(
    `${server.url}/console/engines`,
    { name, kind: 'oip', base_url: oip.url, models: given },
    server.session,
  );

beforeAll(async () => {
  oip = await startScriptedOip({
    shield: 'shield-starter/model.onnx',
    detector: 'vision-starter/detector.onnx',
    scene: 'vision-starter/scene.onnx',
  });
  server = await startTestServer();
  const key = { name: 'away', plan: 'enterprise', scopes: ['moderations', 'images', 'upstream'] };
  away = (await post<{ secret: string }>(`${server.url}/console/keys`, key, server.session)).secret;
  const { trial } = await add('tensors');
  expect(trial).toMatchObject({ passed: true, models: [{ usable: true }, { usable: true }] });
}, 120_000);
afterAll(async () => {
  await server.close();
  await oip.close();
});
beforeEach(() => {
  oip.runs = [];
  oip.alter = null;
  oip.failWith = null;
});

const ask = (key: string, path: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const codeOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: { code: string } }).error.code,
];

const results = async (answer: Response) => ((await answer.json()) as { results: unknown }).results;

const moderation = {
  input: [
    'You are an idiot and I will find you.',
    `A fine day. ${'Kuching has rain and cats. '.repeat(200)}`,
  ],
};

const setRoute = (targets: string[]) =>
  fetch(`${server.url}/console/engine-routes`, {
    method: 'PUT',
    headers: { ...server.session, 'content-type': 'application/json' },
    body: JSON.stringify({
      role: 'svc-shield-base',
      mode: 'order',
      targets,
      spill_over: null,
    } satisfies EngineRoute),
  });

describe('a graph of a pack that runs over there', () => {
  it('gives the shield’s own answers, tensors there and all else here', async () => {
    const here = await ask(server.live, '/v1/moderations', moderation);
    expect([here.status, oip.runs]).toEqual([200, []]);
    const there = await ask(away, '/v1/moderations', moderation);
    expect(there.headers.get('x-lokal-upstream')).toBe('tensors');
    expect(oip.runs.length).toBeGreaterThan(1);
    expect(new Set(oip.runs)).toEqual(new Set(['shield']));
    expect(await results(there)).toEqual(await results(here));
  });

  it('gives the objects of a picture as the detector here does', async () => {
    const image = readFileSync(new URL('../bench/images/screens/console.png', import.meta.url)).toString(
      'base64',
    );
    const body = { model: 'svc-vision-pro', image, tasks: ['objects'] };
    const here = await ask(server.live, '/v1/images/analyze', body);
    const there = await ask(away, '/v1/images/analyze', body);
    expect([there.status, there.headers.get('x-lokal-upstream')]).toEqual([200, 'tensors']);
    expect(oip.runs).toEqual(['detector']);
    const [found, wanted] = [await results(there), await results(here)] as { objects: unknown[] }[][];
    expect(wanted![0]!.objects.length).toBeGreaterThan(0);
    expect(found).toEqual(wanted);
  });

  it('refuses tensors of another kind, size or number, and another target answers', async () => {
    await setRoute(['tensors', 'local']);
    const input = { input: 'You are an idiot.' };
    const wrong: NonNullable<ScriptedOip['alter']>[] = [
      (outputs) => outputs.map((each) => ({ ...each, name: 'other' })),
      (outputs) => outputs.map((each) => ({ ...each, datatype: 'INT64' })),
      (outputs) => outputs.map((each) => ({ ...each, shape: [...each.shape, 1] })),
      (outputs) => outputs.map((each) => ({ ...each, data: each.data.slice(1) })),
      (outputs) => outputs.map((each) => ({ ...each, data: each.data.map(() => 'x') as never })),
    ];
    oip.alter = wrong[0]!;
    const other = await ask(away, '/v1/moderations', input);
    expect([other.status, other.headers.get('x-lokal-upstream')]).toEqual([200, null]);
    expect(other.headers.get('x-lokal-attempts')).toBe('2');
    await setRoute(['tensors']);
    for (const alter of wrong) {
      oip.alter = alter;
      expect(await codeOf(await ask(away, '/v1/moderations', input))).toEqual([
        502,
        'upstream_invalid_output',
      ]);
    }
    oip.alter = null;
    expect((await ask(away, '/v1/moderations', input)).status).toBe(200);
    oip.failWith = 500;
    const failed = await ask(away, '/v1/moderations', input);
    expect(await codeOf(failed)).toEqual([502, 'upstream_error']);
  });

  it('is refused by its trial where it is another graph, or the service has none', async () => {
    oip.alter = (outputs) => outputs.map((each) => ({ ...each, data: each.data.map((value) => 3 - value) }));
    const other = await add('other', [models[0]]);
    expect(other.trial).toMatchObject({ passed: false });
    expect(other.trial!.checks.at(-1)!.detail).toContain('otherwise than the pack here');
    oip.alter = null;
    const swapped = await add('swapped', [{ role: 'svc-vision-pro', model: 'scene' }]);
    expect(swapped.trial).toMatchObject({ passed: false });
  });
});
