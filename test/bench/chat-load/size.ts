import { type LlamaSize, llama1b, llama7b, llama135m } from '../../support/chat/random-weights.ts';

const sizes: Record<string, LlamaSize> = { '135m': llama135m, '1b': llama1b, '7b': llama7b };

/** What the chat benches run on: LOKAL_BENCH_CHAT_SHAPE=135m takes a small model, 7b a large one. */
export const benchSize = (): LlamaSize => sizes[process.env.LOKAL_BENCH_CHAT_SHAPE ?? ''] ?? llama1b;
