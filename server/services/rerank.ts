/**
 * POST /v1/rerank. By the cross-encoder chosen for the task `rerank`, which reads query and document together; else by the
 * embeddings pack: the cosine of the query's vector and a document's. With the starter both have a lexical half (task `query` and
 * `document`), so that shared words count beside the meaning.
 */
import { embeddingDims, maxEmbeddingInputs } from '../api/services/embeddings.ts';
import type { RerankRequest, RerankResult } from '../api/services/rerank.ts';
import { ApiError } from '../errors.ts';
import type { Engines } from '../hosts/engines.ts';
import { type Caller, recordUse } from './caller.ts';
import { enginesFor, type InferenceDeps, identify, recordServedPack, resolveModel } from './model-call.ts';

export type RerankService = (body: RerankRequest, caller: Caller) => Promise<RerankResult>;

const role = 'svc-embed-base';

export function createRerank(deps: InferenceDeps): RerankService {
  return async (body, caller) => {
    resolveModel(body.model, [role], caller);
    const engines = await enginesFor(deps, caller, [body.user]);
    const texts = body.documents.map((document) => (typeof document === 'string' ? document : document.text));
    checkWords(['query'], [body.query]);
    checkWords(
      texts.map((_, index) => `documents[${index}]`),
      texts,
    );
    const reranker = engines.reranker?.() ?? null;
    const score = reranker === null ? compareVectors : scorePairs;
    const { scores, tokens: total } = await score(body.query, texts, { engines, caller });
    recordServedPack(engines, role, caller);
    if (reranker !== null) recordUse(caller, { pack: reranker });
    recordUse(caller, { promptTokens: total });
    const results = scores
      .map((relevance_score, index) => ({
        index,
        relevance_score,
        ...(body.return_documents === true ? { document: { text: texts[index]! } } : {}),
      }))
      // Equal scores keep the order of the request.
      .sort((first, second) => second.relevance_score - first.relevance_score)
      .slice(0, body.top_n);
    return {
      id: `rerank-${identify(caller, body).id}`,
      object: 'list',
      model: role,
      results,
      usage: { prompt_tokens: total, total_tokens: total },
      meta: { api_version: { version: '1' }, billed_units: { search_units: 1 } },
    };
  };
}

/** @throws ApiError invalid_value naming the first text without a word */
function checkWords(fields: readonly string[], texts: readonly string[]): void {
  const empty = texts.findIndex((text) => text.trim() === '');
  if (empty < 0) return;
  throw new ApiError('invalid_value', `${fields[empty]} is empty.`, { param: fields[empty]! });
}

type Score = (
  query: string,
  texts: readonly string[],
  asked: { engines: Engines; caller: Caller },
) => Promise<{ scores: number[]; tokens: number }>;

const rounded = (score: number): number => Math.round(score * 1e6) / 1e6;

/** Pairs of one call: a cancelled request ends behind them. */
const pairsAtOnce = 64;

const scorePairs: Score = async (query, texts, { engines, caller }) => {
  const scores: number[] = [];
  let tokens = 0;
  for (let from = 0; from < texts.length; from += pairsAtOnce) {
    const documents = texts.slice(from, from + pairsAtOnce);
    const answer = await engines.call(role, 'rerank', { query, documents }, caller);
    scores.push(...answer.scores.map(rounded));
    tokens += answer.tokens.reduce((sum, count) => sum + count, 0);
  }
  return { scores, tokens };
};

const compareVectors: Score = async (query, texts, asked) => {
  const embedded = await asked.engines
    .call(role, 'embed', { texts: [query], task: 'query' }, asked.caller)
    .catch((error: unknown) => {
      throw renamed(error, () => 'query');
    });
  const { scores, tokens } = await scoreDocuments(embedded.vectors, texts, asked);
  return { scores, tokens: tokens + embedded.tokens[0]! };
};

/** @returns of each text, its cosine with the query's vector, 0 where it is negative */
async function scoreDocuments(
  query: Float32Array,
  texts: readonly string[],
  { engines, caller }: { engines: Engines; caller: Caller },
): Promise<{ scores: number[]; tokens: number }> {
  const scores: number[] = [];
  let tokens = 0;
  for (let from = 0; from < texts.length; from += maxEmbeddingInputs) {
    const batch = texts.slice(from, from + maxEmbeddingInputs);
    const embedded = await engines
      .call(role, 'embed', { texts: batch, task: 'document' }, caller)
      .catch((error: unknown) => {
        throw renamed(error, (index) => `documents[${from + index}]`);
      });
    for (let row = 0; row < batch.length; row += 1) {
      scores.push(cosine(query, embedded.vectors.subarray(row * embeddingDims, (row + 1) * embeddingDims)));
    }
    tokens += embedded.tokens.reduce((sum, count) => sum + count, 0);
  }
  return { scores, tokens };
}

/** Of vectors of length 1. */
function cosine(first: Float32Array, second: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) sum += first[index]! * second[index]!;
  return rounded(Math.min(1, Math.max(0, sum)));
}

/** The engine counts the texts of a call; the caller knows their own field. */
function renamed(error: unknown, field: (index: number) => string): unknown {
  const input = error instanceof ApiError && /^input\[(\d+)\]$/.exec(error.param ?? '');
  if (!input) return error;
  const param = field(Number(input[1]));
  return new ApiError(error.code, error.message.replaceAll(input[0], param), { param });
}
