/** The side of @huggingface/transformers, its own `generate` on onnxruntime-node: `transformers-js.ts FOLDER THREADS`. */
import { basename, dirname } from 'node:path';
import {
  AutoModelForCausalLM,
  BaseStreamer,
  env,
  type PreTrainedModel,
  Tensor,
} from '@huggingface/transformers';
import { median } from '../measure.ts';
import { type Answer, cpuClock, promptOf, type Rate, serveContender } from './contender.ts';

const [folder = '', threads = '1'] = process.argv.slice(2);

/** When each token came; the first call is the prompt's. */
class Clock extends BaseStreamer {
  readonly times: number[] = [];

  override put(): void {
    this.times.push(performance.now());
  }

  override end(): void {}
}

async function load(): Promise<Answer> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  const model = await AutoModelForCausalLM.from_pretrained(basename(folder), {
    dtype: 'q4',
    device: 'cpu',
    session_options: { intraOpNumThreads: Number(threads), interOpNumThreads: 1 },
  });
  return (question) => answer(model, question);
}

const answer: (model: PreTrainedModel, question: Parameters<Answer>[0]) => Promise<Rate> = async (
  model,
  { decode },
) => {
  if (decode?.sequences !== 1) throw new Error('asked for decoding of one sequence alone');
  const { context, steps } = decode;
  const tokens = promptOf(context - Math.floor(steps / 2), 0);
  const dims = [1, tokens.length];
  const clock = new Clock();
  const cpu = cpuClock();
  await model.generate({
    inputs: new Tensor('int64', BigInt64Array.from(tokens, BigInt), dims),
    attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), dims),
    max_new_tokens: steps + 1,
    do_sample: false,
    streamer: clock,
  } as never);
  // The first token ends the prompt; between the others lies a step each.
  const [, ...times] = clock.times;
  // The prompt's share of it cannot be told apart.
  return {
    rate: 1000 / median(times.slice(1).map((time, at) => time - times[at]!)),
    cpuMs: cpu() / (steps + 1),
  };
};

await serveContender(async () => ({ ask: await load() }));
