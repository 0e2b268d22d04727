/** Operations of files and batches. Any key has them: what a batch asks for needs the scope of its endpoint. */

import type { OperationSpec } from '../operation-spec.ts';
import { Batch, BatchList, BatchQuery, BatchRequest } from './batches.ts';
import { FileContent, FileDeleted, FileList, FileObject, FileQuery, FileRequest } from './files.ts';

export const batchOperations = {
  'POST /v1/files': {
    summary: 'Keep a file, as multipart/form-data, for a batch',
    access: 'api',
    writes: true,
    multipart: true,
    body: FileRequest,
    response: FileObject,
  },
  'GET /v1/files': { summary: 'The files of the key', access: 'api', query: FileQuery, response: FileList },
  'GET /v1/files/{id}': { summary: 'A file, without its content', access: 'api', response: FileObject },
  'DELETE /v1/files/{id}': {
    summary: 'Forget a file',
    access: 'api',
    writes: true,
    response: FileDeleted,
  },
  'GET /v1/files/{id}/content': {
    summary: 'Bytes of a file',
    access: 'api',
    binary: true,
    response: FileContent,
  },
  'POST /v1/batches': {
    summary: 'Answer each line of a file, beside interactive work',
    access: 'api',
    writes: true,
    body: BatchRequest,
    response: Batch,
  },
  'GET /v1/batches': {
    summary: 'The batches of the key',
    access: 'api',
    query: BatchQuery,
    response: BatchList,
  },
  'GET /v1/batches/{id}': { summary: 'A batch and how far it is', access: 'api', response: Batch },
  'POST /v1/batches/{id}/cancel': {
    summary: 'End a batch; what was answered stays',
    access: 'api',
    writes: true,
    response: Batch,
  },
} as const satisfies Record<string, OperationSpec>;
