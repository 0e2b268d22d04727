/** /v1/batches in OpenAI's shape: many requests in one file, answered beside interactive work. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';
import { ExpiresAfter, PageQuery, pageFacts } from './files.ts';

/** Operations that lines may ask for. */
export const batchEndpoints = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/rerank',
  '/v1/moderations',
  '/v1/images/analyze',
  '/v1/documents/parse',
] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];

const Metadata = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), {
  maxProperties: 16,
});

export const BatchRequest = Closed(
  {
    input_file_id: Type.String({ minLength: 1, maxLength: 64 }),
    endpoint: Type.Enum([...batchEndpoints]),
    completion_window: Type.Enum(['24h']),
    metadata: Type.Optional(Metadata),
    output_expires_after: Type.Optional(ExpiresAfter),
  },
  { title: 'BatchRequest' },
);
export type BatchRequest = Static<typeof BatchRequest>;

export const batchStatuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

const BatchError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  param: Nullable(Type.String()),
  line: Nullable(Type.Integer({ minimum: 1 })),
});
export type BatchError = Static<typeof BatchError>;

const Moment = Nullable(UnixSeconds);
const Count = Type.Integer({ minimum: 0 });

export const Batch = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('batch'),
    endpoint: Type.Enum([...batchEndpoints]),
    errors: Nullable(Type.Object({ object: Type.Literal('list'), data: Type.Array(BatchError) })),
    input_file_id: Type.String(),
    completion_window: Type.Literal('24h'),
    status: Type.Enum([...batchStatuses]),
    output_file_id: Nullable(Type.String()),
    error_file_id: Nullable(Type.String()),
    created_at: UnixSeconds,
    in_progress_at: Moment,
    expires_at: UnixSeconds,
    finalizing_at: Moment,
    completed_at: Moment,
    failed_at: Moment,
    expired_at: Moment,
    cancelling_at: Moment,
    cancelled_at: Moment,
    request_counts: Type.Object({ total: Count, completed: Count, failed: Count }),
    usage: Type.Object({
      input_tokens: Count,
      input_tokens_details: Type.Object({ cached_tokens: Count }),
      output_tokens: Count,
      output_tokens_details: Type.Object({ reasoning_tokens: Count }),
      total_tokens: Count,
    }),
    metadata: Nullable(Metadata),
  },
  { title: 'Batch' },
);
export type Batch = Static<typeof Batch>;

export const BatchQuery = Closed(PageQuery);
export type BatchQuery = Static<typeof BatchQuery>;

export const BatchList = Type.Object({ ...pageFacts, data: Type.Array(Batch) }, { title: 'BatchList' });
export type BatchList = Static<typeof BatchList>;

/** A batch as the console lists it, with the key that made it. */
export const KeyBatch = Type.Intersect([
  Batch,
  Type.Object({ key_id: Type.String(), key_name: Type.String() }),
]);
export type KeyBatch = Static<typeof KeyBatch>;

export const KeyBatchList = Type.Object({ data: Type.Array(KeyBatch) }, { title: 'KeyBatchList' });
