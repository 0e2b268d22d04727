/** A server of the Open Inference Protocol over graphs of our own packs: the sessions that answer here, asked by tensors. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../../server/engine/onnx/open.ts';
import type { Session } from '../../../server/engine/onnx/session.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import type { ElementType, TensorData } from '../../../server/engine/onnx/types.ts';

interface WireTensor {
  name: string;
  datatype: string;
  shape: number[];
  data: number[];
}

export interface ScriptedOip {
  url: string;
  /** Names of models that were run, in order. */
  runs: string[];
  /** Changes what is answered. */
  alter: ((outputs: WireTensor[]) => WireTensor[]) | null;
  /** Its status in place of a run's answer. */
  failWith: number | null;
  close(): Promise<void>;
}

const types: Record<string, [ElementType, (values: number[]) => TensorData]> = {
  FP32: ['float32', (values) => Float32Array.from(values)],
  UINT8: ['uint8', (values) => Uint8Array.from(values)],
  INT32: ['int32', (values) => Int32Array.from(values)],
  INT64: ['int64', (values) => BigInt64Array.from(values, BigInt)],
};
const datatypeOf = (type: ElementType): string =>
  Object.keys(types).find((datatype) => types[datatype]![0] === type)!;

const toTensor = ({ datatype, shape, data }: WireTensor): Tensor => {
  const [type, make] = types[datatype]!;
  return new Tensor(type, make(data), shape);
};

/** @param models name → file under models/packs */
export async function startScriptedOip(models: Record<string, string>): Promise<ScriptedOip> {
  const sessions = new Map<string, Session>();
  for (const [name, file] of Object.entries(models)) {
    const path = fileURLToPath(new URL(`../../../models/packs/${file}`, import.meta.url));
    sessions.set(name, await openSession(path, { memoryPattern: false }));
  }

  async function infer(session: Session, body: string): Promise<WireTensor[]> {
    const { inputs } = JSON.parse(body) as { inputs: WireTensor[] };
    const tensors = Object.fromEntries(inputs.map((input) => [input.name, toTensor(input)]));
    const outputs = await session.run(tensors);
    return Object.entries(outputs).map(([name, { data, dims, type }]) => ({
      name,
      datatype: datatypeOf(type),
      shape: [...dims],
      data: Array.from(data as ArrayLike<number | bigint>, Number),
    }));
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url ?? '';
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const [, name = ''] = /^\/v2\/models\/([^/]+)\/infer$/.exec(path) ?? [];
    const session = sessions.get(name);
    if (path === '/v2/health/ready' || path === '/v2') return answer({ name: 'scripted' });
    if (path === '/v2/models') return answer({ models: [...sessions.keys()] });
    if (!session) return answer({ error: 'no such model' }, 404);
    oip.runs.push(name);
    if (oip.failWith !== null) return answer({ error: 'out of order' }, oip.failWith);
    const outputs = await infer(session, Buffer.concat(parts).toString()).catch(() => null);
    if (!outputs) return answer({ error: 'tensors of another graph' }, 400);
    answer({ model_name: name, outputs: oip.alter ? oip.alter(outputs) : outputs });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const oip: ScriptedOip = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runs: [],
    alter: null,
    failWith: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const session of sessions.values()) await session.close();
    },
  };
  return oip;
}
