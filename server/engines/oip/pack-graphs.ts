/** Services whose pack works here while one graph of it runs over there: the shield's classifier, the detector of images. */
import type { ModelId } from '../../api/common.ts';
import type { AnalyzeItem, ImageAnalyzeParams } from '../../engine/images/types.ts';
import type { ClassifyParams, ClassifyResult } from '../../engine/moderation/types.ts';
import { ApiError } from '../../errors.ts';
import type { EngineCall } from '../../hosts/engines.ts';
import type { RemoteAsk, TrialTools } from '../adapter.ts';
import { EngineFault } from '../fault.ts';
import { grayPng } from '../trial-picture.ts';
import { type Asking, type TensorRuns, withTensors } from './tensors.ts';

export const classifyThere = (params: ClassifyParams, ask: RemoteAsk): Promise<ClassifyResult> =>
  lastOf(
    withTensors(ask, async function* ({ infer }) {
      yield await ask.local.call('svc-shield-base', 'classify', params, { ...ask.localCall, infer });
    }),
  );

export const analyzeThere = (params: ImageAnalyzeParams, ask: RemoteAsk): AsyncIterable<AnalyzeItem> =>
  withTensors(ask, ({ infer }) =>
    ask.local.stream('svc-vision-pro', 'analyze', params, { ...ask.localCall, infer }),
  );

async function lastOf<T>(items: AsyncIterable<T>): Promise<T> {
  let last: { item: T } | null = null;
  for await (const item of items) last = { item };
  if (!last) throw new EngineFault('invalid', 'it answered nothing');
  return last.item;
}

const trialMs = 60_000;
/** Between processors the same graph differs by less. */
const tolerance = 0.01;

const question = 'You are a worthless idiot and I will find where you live.';

/** Windows on a desk, as far as grays tell. */
const screen = (): Buffer =>
  grayPng(256, (x, y) => (x > 30 && x < 220 && y > 40 && y < 200 ? (y < 60 ? 90 : 245) : 170));

type Trial = (local: TrialTools['local'], call: EngineCall) => Promise<unknown>;

const trials: Partial<Record<ModelId, Trial>> = {
  'svc-shield-base': (local, call) => local.call('svc-shield-base', 'classify', { text: question }, call),
  'svc-vision-pro': (local, call) =>
    lastOf(
      local.stream(
        'svc-vision-pro',
        'analyze',
        { bytes: screen(), tasks: ['objects'], language: 'en', frames: { sampling: 'even', maxFrames: 1 } },
        call,
      ),
    ),
};

/**
 * Milliseconds of an answer of the pack here with its graph run there.
 * @throws EngineFault where there is no such pack or graph, or the answer is another one
 */
export async function samePackAnswer(
  role: ModelId,
  ask: Asking & Pick<TrialTools, 'local'>,
): Promise<number> {
  const work = trials[role];
  if (!work) throw new EngineFault('invalid', `${role} is not asked over this protocol`);
  const call: EngineCall = { signal: ask.signal, deadlineMs: trialMs };
  const here = await ofPack(() => work(ask.local, call));
  let tensors: TensorRuns | undefined;
  const startedAt = performance.now();
  const there = await ofPack(() =>
    lastOf(
      withTensors(ask, async function* (given) {
        tensors = given;
        yield await work(ask.local, { ...call, infer: given.infer });
      }),
    ),
  );
  const ms = Math.round(performance.now() - startedAt);
  if (tensors?.runs === 0)
    throw new EngineFault('invalid', `the pack of ${role} here has no graph that can run elsewhere`);
  if (!isClose(here, there))
    throw new EngineFault('invalid', 'its graph answers otherwise than the pack here');
  return ms;
}

async function ofPack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new EngineFault('invalid', `the pack here: ${error.message}`);
    throw error;
  }
}

/** Equal but for numbers that are nearly so. */
export function isClose(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= tolerance;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right;
  const [one, other] = [Object.entries(left), new Map(Object.entries(right))];
  return one.length === other.size && one.every(([name, value]) => isClose(value, other.get(name)));
}
