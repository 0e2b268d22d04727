/** Our side: `ours.ts FOLDER THREADS [SEQUENCES POSITIONS]`, by the kernels that LOKAL_CUSTOM_KERNELS names. */
import { join } from 'node:path';
import { readCustomKernels } from '../../../server/config.ts';
import { stepTokens } from '../../../server/engine/chat/engine.ts';
import { ModelRunner } from '../../../server/engine/chat/runners/model-runner.ts';
import { argmax } from '../../../server/engine/chat/sampling/candidates.ts';
import { answering, type Contender, readLimits, serveContender } from './contender.ts';

const [folder = '', threads = '1', ...sizes] = process.argv.slice(2);
const { positions, sequences } = readLimits(sizes);

async function load(): Promise<Contender> {
  const runner = await ModelRunner.open(join(folder, 'model.onnx'), {
    threads: Number(threads),
    customKernels: readCustomKernels(process.env),
  });
  runner.allocate({ slots: sequences, positions });
  const { signal } = new AbortController();
  return {
    async prefill(slot, tokens) {
      for (let past = 0; past < tokens.length; past += stepTokens) {
        const part = tokens.slice(past, past + stepTokens);
        await runner.run({ slot, rows: [{ tokens: part, past }], wanted: [part.length - 1] }, signal);
      }
    },
    // Rows say how many positions before them they see.
    rewind: () => {},
    async step(tokens, pasts) {
      const rows = tokens.map((token, at) => ({ tokens: [token], past: pasts[at]! }));
      const logits = await runner.run({ slot: 0, rows, wanted: rows.map((_, at) => at) }, signal);
      const width = runner.vocabulary;
      return rows.map((_, at) => argmax(logits.subarray(at * width, (at + 1) * width), null));
    },
  };
}

await serveContender(async () => ({ ask: answering(await load()) }));
