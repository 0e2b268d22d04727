/** /v1/files in OpenAI's shape: what batches read and write. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';

export const ExpiresAfter = Closed({
  anchor: Type.Literal('created_at'),
  seconds: Type.Integer({
    minimum: 3_600,
    maximum: 2_592_000,
    description: 'Where the settings keep files for less, that counts.',
  }),
});

/** A multipart body: its parts by their names; `file` is the name of the part's bytes (services/batches/uploads.ts). */
export const FileRequest = Closed(
  {
    file: Type.String({ minLength: 1, contentMediaType: 'application/octet-stream' }),
    purpose: Type.Enum(['batch']),
    expires_after: Type.Optional(ExpiresAfter),
  },
  { title: 'FileRequest' },
);
export type FileRequest = Static<typeof FileRequest>;

export const FileObject = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('file'),
    bytes: Type.Integer({ minimum: 0 }),
    created_at: UnixSeconds,
    expires_at: UnixSeconds,
    filename: Type.String(),
    purpose: Type.Enum(['batch', 'batch_output']),
    status: Type.Literal('processed'),
  },
  { title: 'FileObject' },
);
export type FileObject = Static<typeof FileObject>;

/** Of a list, newest first. */
export const PageQuery = {
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,3}$', description: 'A number from 1 to 9999.' })),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the last one that was read.' })),
};

export const FileQuery = Closed({
  ...PageQuery,
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  purpose: Type.Optional(Type.String({ maxLength: 64 })),
});
export type FileQuery = Static<typeof FileQuery>;

const pageFacts = {
  object: Type.Literal('list'),
  first_id: Nullable(Type.String()),
  last_id: Nullable(Type.String()),
  has_more: Type.Boolean(),
};

export const FileList = Type.Object({ ...pageFacts, data: Type.Array(FileObject) }, { title: 'FileList' });
export type FileList = Static<typeof FileList>;

export const FileDeleted = Type.Object(
  { id: Type.String(), object: Type.Literal('file'), deleted: Type.Literal(true) },
  { title: 'FileDeleted' },
);
export type FileDeleted = Static<typeof FileDeleted>;

export const FileContent = Type.Unsafe<Buffer>(
  Type.String({ contentMediaType: 'application/octet-stream', description: 'The bytes themselves.' }),
);

export { pageFacts };
