/** The trial of an engine of the Open Inference Protocol: alive, its models ready, their tensors ours, one vector made. */
import type { EngineCapabilities, EngineModel } from '../../api/console/engines.ts';
import { embeddingDims } from '../../api/services/embeddings.ts';
import { type CheckTools, noCapabilities, type TrialReport, type TrialTools } from '../adapter.ts';
import { CheckList } from '../checks.ts';
import { readText, statusFault } from '../connection.ts';
import { EngineFault } from '../fault.ts';
import { askOip } from './ask.ts';
import { inferVectors } from './infer.ts';
import { samePackAnswer } from './pack-graphs.ts';

/** Its answer has no body that has to be read. */
export async function checkOip({ connection, signal }: CheckTools): Promise<void> {
  const response = await connection.send({ path: '/v2/health/ready', signal, caller: null });
  if (response.status !== 200) throw await statusFault(response);
  await readText(response, 65_536);
}

interface Metadata {
  inputs?: { name?: unknown; datatype?: unknown }[];
  outputs?: { name?: unknown; shape?: unknown }[];
}

export async function tryOip(tools: TrialTools): Promise<TrialReport> {
  const checks = new CheckList();
  const ask = { ...tools, caller: null };
  const report: TrialReport = { server: null, found: [], checks: checks.lines, models: [] };
  await checks.run('live', async () => ({
    value: await checkOip(tools),
    detail: '/v2/health/ready answers',
  }));
  const server = await checks.run('authorized', async () => {
    const value = await askOip<{ name?: unknown; version?: unknown }>('/v2', ask);
    return { value };
  });
  if (!server)
    return { ...report, models: tools.models.map(({ model, role }) => noCapabilities(role, model)) };
  report.server = [server.name, server.version].filter((each) => typeof each === 'string').join(' ') || null;
  const listed = await checks.run('models', async () => {
    const { models } = await askOip<{ models?: unknown }>('/v2/models', ask);
    const value = Array.isArray(models) ? models.filter((each) => typeof each === 'string') : [];
    return { value, detail: `${value.length} models` };
  });
  report.found = (listed ?? []).slice(0, 1_000);
  for (const pair of tools.models) report.models.push(await tryEncoder(pair, tools, checks));
  return report;
}

async function tryEncoder(
  { model, role }: EngineModel,
  tools: TrialTools,
  checks: CheckList,
): Promise<EngineCapabilities> {
  const nothing = noCapabilities(role, model);
  const ask = { ...tools, caller: null, model };
  if (role !== 'svc-embed-base') return tryPackGraph({ model, role }, tools, checks);
  const fits = await checks.run(
    'tensors',
    async () => {
      const metadata = await askOip<Metadata>(`/v2/models/${encodeURIComponent(model)}`, ask);
      const refused = refuseTensors(metadata);
      if (refused) throw new EngineFault('invalid', refused);
      return { value: true };
    },
    model,
  );
  if (!fits) return nothing;
  const startedAt = performance.now();
  const vectors = await checks.run(
    'embeddings',
    async () => ({
      value: await inferVectors([[1, 2, 3]], ask),
      detail: `${embeddingDims} numbers`,
    }),
    model,
  );
  return {
    ...nothing,
    usable: vectors !== undefined,
    dimensions: vectors ? embeddingDims : null,
    first_byte_ms: vectors ? Math.round(performance.now() - startedAt) : null,
  };
}

/** The pack here answers as ever when its graph runs over there. */
async function tryPackGraph(
  { model, role }: EngineModel,
  tools: TrialTools,
  checks: CheckList,
): Promise<EngineCapabilities> {
  let ms: number | null = null;
  const same = await checks.run(
    'pack',
    async () => {
      ms = await samePackAnswer(role, { ...tools, caller: null, model });
      return { value: true, detail: 'answers as the pack here' };
    },
    model,
  );
  return { ...noCapabilities(role, model), usable: same === true, first_byte_ms: ms };
}

const taken = ['input_ids', 'attention_mask'];

/** The reason why a graph is not an encoder as we ask it; null where it is. */
function refuseTensors({ inputs, outputs }: Metadata): string | null {
  if (!Array.isArray(inputs) || !Array.isArray(outputs)) return 'it does not name its tensors';
  for (const { datatype, name } of inputs) {
    if (typeof name !== 'string' || !taken.includes(name))
      return `it wants an input ${String(name).slice(0, 50)}`;
    if (datatype !== 'INT64') return `${name} is ${String(datatype).slice(0, 20)}, not INT64`;
  }
  const missing = taken.find((name) => !inputs.some((input) => input.name === name));
  if (missing) return `it has no input ${missing}`;
  const isVector = ({ shape }: { shape?: unknown }) =>
    Array.isArray(shape) && shape.length === 2 && Number(shape[1]) === embeddingDims;
  return outputs.some(isVector) ? null : `no output is one vector of ${embeddingDims} numbers a row`;
}
