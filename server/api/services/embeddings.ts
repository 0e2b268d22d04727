/** POST /v1/embeddings. */
import { type Static, Type } from 'typebox';
import { Closed } from '../common.ts';

/** Width of every vector (spec.md, Limits). */
export const embeddingDims = 1024;
/** Inputs a request may carry; one more is 400 too_many_inputs, checked in the service so that the code is right. */
export const maxEmbeddingInputs = 96;

export const EmbeddingsRequest = Closed(
  {
    model: Type.String(),
    input: Type.Union([
      Type.String(),
      Type.Array(Type.String({ description: 'Text: token ids are not taken' }), {
        minItems: 1,
        description: `At most ${maxEmbeddingInputs}, each of as many tokens as the pack takes`,
      }),
    ]),
    task: Type.Optional(Type.Enum(['query', 'document'])),
    encoding_format: Type.Optional(Type.Enum(['float', 'base64'], { default: 'float' })),
    dimensions: Type.Optional(Type.Literal(embeddingDims)),
    user: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { title: 'EmbeddingsRequest' },
);
export type EmbeddingsRequest = Static<typeof EmbeddingsRequest>;

export const EmbeddingsResult = Type.Object(
  {
    object: Type.Literal('list'),
    model: Type.String(),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('embedding'),
        index: Type.Integer({ minimum: 0 }),
        embedding: Type.Union([
          Type.Array(Type.Number(), { minItems: embeddingDims, maxItems: embeddingDims }),
          Type.String({ description: 'base64 of little-endian float32' }),
        ]),
      }),
    ),
    usage: Type.Object({
      prompt_tokens: Type.Integer({ minimum: 0 }),
      total_tokens: Type.Integer({ minimum: 0 }),
    }),
  },
  { title: 'EmbeddingsResult' },
);
export type EmbeddingsResult = Static<typeof EmbeddingsResult>;
