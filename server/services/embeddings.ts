/** POST /v1/embeddings. */
import {
  type EmbeddingsRequest,
  type EmbeddingsResult,
  embeddingDims,
  maxEmbeddingInputs,
} from '../api/services/embeddings.ts';
import { ApiError } from '../errors.ts';
import { type Caller, recordUse } from './caller.ts';
import { enginesFor, type InferenceDeps, recordServedPack, resolveModel } from './model-call.ts';

export type EmbeddingsService = (body: EmbeddingsRequest, caller: Caller) => Promise<EmbeddingsResult>;

export function createEmbeddings(deps: InferenceDeps): EmbeddingsService {
  return async (body, caller) => {
    const role = resolveModel(body.model, ['svc-embed-base'], caller);
    const texts = checkInput(body.input);
    const engines = await enginesFor(deps, caller, [body.user]);
    const params = { texts, ...(body.task === undefined ? {} : { task: body.task }) };
    const call = engines.call(role, 'embed', params, caller);
    const { vectors, tokens } = await call.catch((error: unknown) => {
      throw typeof body.input === 'string' ? asSingle(error) : error;
    });
    recordServedPack(engines, role, caller);
    const total = tokens.reduce((sum, count) => sum + count, 0);
    recordUse(caller, { promptTokens: total, inputs: texts.length });
    return {
      object: 'list',
      model: role,
      data: texts.map((_, index) => ({
        object: 'embedding',
        index,
        embedding: encode(
          vectors.subarray(index * embeddingDims, (index + 1) * embeddingDims),
          body.encoding_format,
        ),
      })),
      usage: { prompt_tokens: total, total_tokens: total },
    };
  };
}

/** The engine counts its inputs; who sent one text knows it as `input`. */
function asSingle(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param !== 'input[0]') return error;
  return new ApiError(error.code, error.message.replaceAll('input[0]', 'input'), { param: 'input' });
}

/** @throws ApiError too_many_inputs, or invalid_value naming the index of an empty text */
function checkInput(input: EmbeddingsRequest['input']): string[] {
  const texts = typeof input === 'string' ? [input] : input;
  if (texts.length > maxEmbeddingInputs) {
    throw new ApiError(
      'too_many_inputs',
      `input holds ${texts.length} texts; at most ${maxEmbeddingInputs} go into one request.`,
      {
        param: 'input',
      },
    );
  }
  const empty = texts.findIndex((text) => text.trim() === '');
  if (empty >= 0) {
    const param = typeof input === 'string' ? 'input' : `input[${empty}]`;
    throw new ApiError('invalid_value', `${param} is empty.`, { param });
  }
  return texts;
}

/** `base64` is little-endian float32 (contract "Embeddings"). */
function encode(vector: Float32Array, format: EmbeddingsRequest['encoding_format']): number[] | string {
  if (format !== 'base64') return Array.from(vector);
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
