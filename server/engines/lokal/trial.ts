/** The trial of another Lokal: each service is asked something small. */
import type { ModelId } from '../../api/common.ts';
import type { EngineCapabilities, EngineModel } from '../../api/console/engines.ts';
import { type CheckTools, noCapabilities, type TrialReport, type TrialTools } from '../adapter.ts';
import { CheckList } from '../checks.ts';
import { readText, statusFault } from '../connection.ts';
import { EngineFault } from '../fault.ts';
import { parseJsonObject } from '../openai/embeddings.ts';
import { type PairContext, tryChat, tryEmbeddings } from '../openai/trial.ts';
import { grayPng } from '../trial-picture.ts';

const longestAnswer = 4 * 1024 * 1024;

export async function checkLokal(tools: CheckTools): Promise<void> {
  await listModels(tools);
}

export async function tryLokal(tools: TrialTools): Promise<TrialReport> {
  const checks = new CheckList();
  await checks.run('live', async () => ({ value: await get('/healthz', tools) }));
  const found = await checks.run('authorized', async () => {
    const value = await listModels(tools);
    return { value, detail: `${value.length} models` };
  });
  const models: EngineCapabilities[] = [];
  for (const pair of found ? tools.models : []) {
    const known = { context: null, isListed: found!.includes(pair.model) };
    models.push(await tryService(pair, { tools, checks, known }));
  }
  return { server: 'Lokal', found: found ?? [], checks: checks.lines, models };
}

async function get(path: string, { connection, signal }: CheckTools): Promise<string> {
  const response = await connection.send({ path, signal, caller: null });
  if (response.status !== 200) throw await statusFault(response);
  return readText(response, longestAnswer);
}

async function listModels(tools: CheckTools): Promise<string[]> {
  const { data } = parseJsonObject<{ data?: { id?: unknown }[] }>(await get('/v1/models', tools));
  if (!Array.isArray(data)) throw new EngineFault('invalid', 'its list of models cannot be read');
  return data.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

const small: Record<
  Exclude<ModelId, 'svc-lingua-7b' | 'svc-embed-base'>,
  (model: string) => [string, object]
> = {
  'svc-shield-base': (model) => ['/v1/moderations', { model, input: 'A fine day.' }],
  'svc-guard-max': (model) => [
    '/v1/moderations',
    { model, input: 'Accepted publickey for ann from 10.0.0.5' },
  ],
  'svc-vision-pro': (model) => ['/v1/images/analyze', { model, image: whitePng(), tasks: ['objects'] }],
  'svc-parse-pro': (model) => ['/v1/documents/parse', { model, file: whitePng(), template: 'generic' }],
};

async function tryService(pair: EngineModel, context: PairContext): Promise<EngineCapabilities> {
  const { role, model } = pair;
  if (role === 'svc-lingua-7b') return tryChat(pair, context);
  if (role === 'svc-embed-base') return tryEmbeddings(pair, context);
  const { tools, checks } = context;
  const startedAt = performance.now();
  const answered = await checks.run(
    role,
    async () => {
      const [path, body] = small[role](model);
      const response = await tools.connection.send({
        path,
        body: JSON.stringify(body),
        signal: tools.signal,
        caller: null,
      });
      if (response.status !== 200) throw await statusFault(response);
      await readText(response, longestAnswer);
      return { value: true };
    },
    model,
  );
  const ms = Math.round(performance.now() - startedAt);
  return { ...noCapabilities(role, model), usable: answered === true, first_byte_ms: answered ? ms : null };
}

const whitePng = (): string => grayPng(64, () => 255).toString('base64');
