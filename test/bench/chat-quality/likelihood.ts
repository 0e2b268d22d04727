/** Logits of given tokens, straight from a pack's graph; perplexity, and how far one pack's predictions lie from another's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChatPack } from '../../../server/engine/chat/pack.ts';
import { ModelRunner } from '../../../server/engine/chat/runners/model-runner.ts';
import { type ChatTokenizer, createTokenizer } from '../../../server/engine/chat/text/tokenizer.ts';

export interface Reader {
  tokenizer: ChatTokenizer;
  vocabulary: number;
  /** Log probabilities of what follows each token, a row of the vocabulary each. */
  logProbabilities(tokens: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Longest text that is read; what is longer is cut. */
export const mostTokens = 512;

export async function openReader(folder: string): Promise<Reader> {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const pack = await readChatPack(folder, manifest);
  const runner = await ModelRunner.open(pack.graphPath, { threads: 1 });
  runner.allocate({ slots: 2, positions: mostTokens });
  const { signal } = new AbortController();
  return {
    tokenizer: createTokenizer(pack, runner.vocabulary),
    vocabulary: runner.vocabulary,
    async logProbabilities(tokens) {
      const logits = await runner.run(
        { slot: 0, rows: [{ tokens, past: 0 }], wanted: tokens.map((_, at) => at) },
        signal,
      );
      return logSoftmax(logits.slice(0, tokens.length * runner.vocabulary), runner.vocabulary);
    },
    close: () => runner.close(),
  };
}

function logSoftmax(logits: Float32Array, width: number): Float32Array {
  for (let start = 0; start < logits.length; start += width) {
    const row = logits.subarray(start, start + width);
    const most = row.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
    const sum = row.reduce((total, value) => total + Math.exp(value - most), 0);
    const shift = most + Math.log(sum);
    for (let at = 0; at < width; at += 1) row[at]! -= shift;
  }
  return logits;
}

export interface Likelihood {
  /** Negative log likelihood in nats, and what it is over. */
  loss: number;
  tokens: number;
  characters: number;
}

/** Of texts, each from its beginning. */
export async function likelihood(reader: Reader, texts: readonly string[]): Promise<Likelihood> {
  const total: Likelihood = { loss: 0, tokens: 0, characters: 0 };
  for (const text of texts) {
    const tokens = reader.tokenizer.encode(`<|endoftext|>${text}`).slice(0, mostTokens);
    const scores = await reader.logProbabilities(tokens);
    for (let at = 1; at < tokens.length; at += 1)
      total.loss -= scores[(at - 1) * reader.vocabulary + tokens[at]!]!;
    total.tokens += tokens.length - 1;
    total.characters += [...text].length;
  }
  return total;
}

export const perplexity = ({ loss, tokens }: Likelihood): number => Math.exp(loss / tokens);
