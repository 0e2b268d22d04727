/** POST /v1/rerank: the order of documents for a query, in the shapes of Jina and Cohere at once. */
import { type Static, Type } from 'typebox';
import { Closed } from '../common.ts';

/** Documents of a request. */
export const maxRerankDocuments = 1_000;

export const RerankRequest = Closed(
  {
    model: Type.String(),
    query: Type.String({ minLength: 1 }),
    documents: Type.Array(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({ text: Type.String({ minLength: 1 }) })]),
      { minItems: 1, maxItems: maxRerankDocuments },
    ),
    top_n: Type.Optional(Type.Integer({ minimum: 1, description: 'Results at most; default: all.' })),
    return_documents: Type.Optional(Type.Boolean({ default: false })),
    user: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { title: 'RerankRequest' },
);
export type RerankRequest = Static<typeof RerankRequest>;

export const RerankResult = Type.Object(
  {
    id: Type.String({ pattern: '^rerank-[0-9a-f]+$' }),
    object: Type.Literal('list'),
    model: Type.String(),
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'Place in the request’s documents.' }),
        relevance_score: Type.Number({ minimum: 0, maximum: 1 }),
        document: Type.Optional(Type.Object({ text: Type.String() })),
      }),
      { description: 'The most relevant first.' },
    ),
    usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    meta: Type.Object({
      api_version: Type.Object({ version: Type.Literal('1') }),
      billed_units: Type.Object({ search_units: Type.Integer() }),
    }),
  },
  { title: 'RerankResult' },
);
export type RerankResult = Static<typeof RerankResult>;
