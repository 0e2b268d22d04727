/** What authentication, limits and the rest cost: two operations of Lokal against a bare Fastify that answers with the same bytes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '../../server/db/open.ts';
import { createStores } from '../../server/db/stores.ts';
import { createAuditLog } from '../../server/services/audit/audit-log.ts';
import { defaultSettings } from '../../server/services/console/settings.ts';
import { createKeyDirectory } from '../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../server/services/keys/key-service.ts';
import { sendLoad, type Target, toRequest } from './http-load/load.ts';
import { residentMb, type Started, startServer } from './http-load/servers.ts';
import { median, progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

interface Rates {
  ours: number;
  peer: number;
  ratio: number;
}

/** Far above what is sent: the limits are counted, not reached. */
const unreached = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent: 1024 };
const connections = 8;

export async function run({ quick }: BenchOptions): Promise<object> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const keys = prepareHome(home);
    const cli = new URL('../../server/cli.ts', import.meta.url);
    const start = () => startServer(cli, ['serve', '--port', '0', '--json'], { LOKAL_HOME: home });
    const startMs = await measureStart(start, quick ? 1 : 5);
    const ours = await start();
    stops.push(ours.stop);
    await sleep(quick ? 100 : 2_000);
    const idleRssMb = residentMb(ours.child.pid!);
    const requests = {
      models: toRequest('GET', '/v1/models', { key: keys.live }),
      moderation: toRequest('POST', '/v1/moderations', { key: keys.test, body: moderationBody() }),
    };
    const peer = await startPeer(await fetchAnswers(ours.port, keys), keys);
    stops.push(peer.stop);
    const size = quick ? { requests: 200, runs: 1 } : { requests: 3_000, runs: 21 };
    const pair = (request: Buffer) =>
      [
        { port: ours.port, request },
        { port: peer.port, request },
      ] as const;
    const models = await compareRates(pair(requests.models), size);
    const moderation = await compareRates(pair(requests.moderation), size);
    const addedModels = await compareLatency(pair(requests.models), quick ? 30 : 2_000);
    const addedModeration = await compareLatency(pair(requests.moderation), quick ? 30 : 2_000);
    const addedByTranslation = await measureTranslations(ours.port, keys.test, quick ? 30 : 1_000);
    return {
      ratio: Math.min(models.ratio, moderation.ratio),
      added_p50_ms: rounded(Math.max(addedModels, addedModeration)),
      added_translation_p50_ms: rounded(addedByTranslation),
      models_rps: models,
      moderation_rps: moderation,
      start_ms: rounded(startMs),
      idle_rss_mb: idleRssMb === null ? null : rounded(idleRssMb),
    };
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(home, { recursive: true, force: true });
  }
}

/** A data folder with a live and a test key whose limits the load does not reach. */
function prepareHome(home: string): { live: string; test: string } {
  const db = openDatabase(join(home, 'lokal.db'));
  const stores = createStores(db);
  const limits = { ...defaultSettings(0).limits, enterprise: unreached, test: unreached };
  stores.settings.set({ limits });
  const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
  const service = createKeyService({
    store: stores.keys,
    directory,
    now: Date.now,
    audit: createAuditLog(stores.audit, Date.now),
  });
  const create = (keyClass: 'live' | 'test') =>
    service.create({ name: keyClass, class: keyClass, plan: 'enterprise' }, 'owner').secret;
  const keys = { live: create('live'), test: create('test') };
  db.close();
  return keys;
}

/** 1 KB in all. */
function moderationBody(): string {
  const body = (input: string) => JSON.stringify({ model: 'svc-shield-base', input });
  return body('a plain sentence '.repeat(70).slice(0, 1024 - body('').length));
}

interface Answers {
  models: string;
  moderation: string;
}

/** Each answer's media type and bytes, in one text. */
async function fetchAnswers(port: number, keys: { live: string; test: string }): Promise<Answers> {
  const url = `http://127.0.0.1:${port}`;
  const read = async (response: Response) =>
    `${response.headers.get('content-type')}\n${await response.text()}`;
  const models = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${keys.live}` } });
  const moderation = await fetch(`${url}/v1/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' },
    body: moderationBody(),
  });
  return { models: await read(models), moderation: await read(moderation) };
}

const parseValue = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\n')));

/** A peer with the values behind `answers`. @throws Error when it does not send the same media types and bytes */
async function startPeer(answers: Answers, keys: { live: string; test: string }): Promise<Started> {
  const values = { models: parseValue(answers.models), moderation: parseValue(answers.moderation) };
  const peer = await startServer(new URL('./http-load/peer.ts', import.meta.url), [JSON.stringify(values)]);
  if (isDeepStrictEqual(await fetchAnswers(peer.port, keys), answers)) return peer;
  await peer.stop();
  throw new Error('the peer answers other bytes than ours');
}

async function measureStart(start: () => Promise<Started>, runs: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const server = await start();
    times.push(server.startMs);
    await server.stop();
  }
  return median(times);
}

async function compareRates(
  [ours, peer]: readonly [Target, Target],
  { requests, runs }: { requests: number; runs: number },
): Promise<Rates> {
  const rates: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  const measure = async (target: Target) => {
    const start = performance.now();
    await sendLoad(target, { requests, connections });
    return (requests * 1000) / (performance.now() - start);
  };
  for (let round = 0; round <= runs; round++) {
    const pair = { ours: await measure(ours), peer: await measure(peer) };
    if (round === 0) continue;
    rates.ours.push(pair.ours);
    rates.peer.push(pair.peer);
    progress(`run ${round}/${runs}: ours ${pair.ours.toFixed(0)}/s, peer ${pair.peer.toFixed(0)}/s`);
  }
  const [oursRps, peerRps] = [median(rates.ours), median(rates.peer)];
  return { ours: rounded(oursRps), peer: rounded(peerRps), ratio: rounded(oursRps / peerRps) };
}

/** Milliseconds that the slower of Responses and Messages adds to the median of the same chat completion, a fixture's. */
async function measureTranslations(port: number, key: string, requests: number): Promise<number> {
  const content = 'a plain sentence '.repeat(20);
  const shared = { model: 'svc-lingua-7b', messages: [{ role: 'user', content }], max_tokens: 64 };
  const { messages, max_tokens, ...request } = shared;
  const target = (path: string, body: object): Target => ({
    port,
    request: toRequest('POST', path, { key, body: JSON.stringify(body) }),
  });
  const chat = target('/v1/chat/completions', shared);
  const translations = [
    target('/v1/responses', { ...request, input: messages, max_output_tokens: max_tokens }),
    target('/v1/messages', shared),
  ];
  const added: number[] = [];
  for (const translation of translations) added.push(await compareLatency([translation, chat], requests));
  return Math.max(...added);
}

/** Milliseconds that ours adds to the median, one request at a time. */
async function compareLatency([ours, peer]: readonly [Target, Target], requests: number): Promise<number> {
  const differences: number[] = [];
  for (let round = 0; round < 5; round++) {
    const p50 = async (target: Target) => median([...(await sendLoad(target, { requests, connections: 1 }))]);
    differences.push((await p50(ours)) - (await p50(peer)));
  }
  return median(differences);
}
