import { type LlamaSize, llama1b, llama135m } from '../../support/chat/random-weights.ts';

/** What the chat benches run on: LOKAL_BENCH_CHAT_SHAPE=135m takes a small model. */
export const benchSize = (): LlamaSize =>
  process.env.LOKAL_BENCH_CHAT_SHAPE === '135m' ? llama135m : llama1b;
