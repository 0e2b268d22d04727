/** Vectors of a remote engine: as many as texts, of our width, of length 1. */
import { embeddingDims } from '../../api/services/embeddings.ts';
import type { EmbedParams, EmbedResult } from '../../engine/embeddings/types.ts';
import { ApiError } from '../../errors.ts';
import type { RemoteAsk } from '../adapter.ts';
import { readText, statusFault } from '../connection.ts';
import { EngineFault } from '../fault.ts';
import { estimateTokens } from './chat-events.ts';

/** Ray Serve and prefix caches keep a conversation where it was by this header. */
export const sessionHeader = ({ session }: RemoteAsk): Record<string, string> =>
  session === null ? {} : { 'x-session-id': session };

const mostAnswerBytes = 64 * 1024 * 1024;

export async function embedRemotely({ texts }: EmbedParams, ask: RemoteAsk): Promise<EmbedResult> {
  const response = await ask.connection.send({
    path: '/v1/embeddings',
    headers: sessionHeader(ask),
    body: JSON.stringify({ model: ask.model, input: texts, encoding_format: 'float' }),
    signal: ask.signal,
    caller: ask.caller,
  });
  if (response.status !== 200)
    throw await statusFault(
      response,
      () =>
        new ApiError('invalid_value', `The remote engine ${ask.engine} refuses the texts.`, {
          param: 'input',
        }),
    );
  return readEmbeddings(await readText(response, mostAnswerBytes), texts);
}

interface WireEmbeddings {
  data?: { index?: unknown; embedding?: unknown }[];
  usage?: { prompt_tokens?: unknown };
}

/** Rows in the order of the texts, of length 1. @throws EngineFault */
export function readEmbeddings(text: string, texts: readonly string[]): EmbedResult {
  const { data, usage } = parseJsonObject<WireEmbeddings>(text);
  if (!Array.isArray(data) || data.length !== texts.length)
    throw new EngineFault('invalid', 'it answered another number of vectors than there were texts');
  const vectors = new Float32Array(texts.length * embeddingDims);
  const seen = new Set<number>();
  for (const [place, { index = place, embedding }] of data.entries()) {
    if (
      !Number.isInteger(index) ||
      (index as number) < 0 ||
      (index as number) >= texts.length ||
      seen.has(index as number)
    )
      throw new EngineFault('invalid', 'the order of its vectors cannot be told');
    seen.add(index as number);
    vectors.set(toUnitVector(embedding), (index as number) * embeddingDims);
  }
  const estimates = texts.map((each) => estimateTokens(Buffer.byteLength(each)));
  const tokens = share(usage?.prompt_tokens, estimates, texts);
  return { vectors, tokens, ...(tokens === estimates && { estimated: true as const }) };
}

export function parseJsonObject<T>(text: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {}
  throw new EngineFault('invalid', 'its answer is not a JSON object');
}

/** Of length 1. @throws EngineFault for another width or none */
export function toUnitVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length !== embeddingDims) {
    const width = Array.isArray(embedding) ? embedding.length : 'no';
    throw new EngineFault('invalid', `its vectors have ${width} numbers, not ${embeddingDims}`);
  }
  const vector = Float64Array.from(embedding as number[]);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0)
    throw new EngineFault('invalid', 'one of its vectors has no length');
  return Float32Array.from(vector, (value) => value / length);
}

/** Their total, where it can be true, over the texts by their length; else the estimates. */
function share(total: unknown, estimates: number[], texts: readonly string[]): number[] {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (
    !Number.isInteger(total) ||
    (total as number) < texts.length ||
    (total as number) > bytes + 16 * texts.length
  )
    return estimates;
  const sum = estimates.reduce((all, each) => all + each, 0);
  const shares = estimates.map((each) => Math.floor((each / sum) * (total as number)));
  shares[0] = shares[0]! + (total as number) - shares.reduce((all, each) => all + each, 0);
  return shares;
}
