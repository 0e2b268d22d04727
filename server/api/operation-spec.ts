/** The description of one operation. */
import type { TSchema } from 'typebox';
import type { Scope } from './common.ts';

export interface OperationSpec {
  summary: string;
  /** `api`: a Bearer key with `scope`; `console`: a console session; `open`: nothing. */
  access: 'api' | 'console' | 'open';
  scope?: Scope;
  /** Executed work: metered, idempotent with Idempotency-Key, counted against tokens and concurrency. */
  inference?: true;
  /** Changes the database, at once and not in a promise: idempotent with Idempotency-Key. */
  writes?: true;
  body?: TSchema;
  /** Of the parameters behind the path. */
  query?: TSchema;
  /** The body is multipart/form-data; its file is named in it by services/batches/uploads.ts. */
  multipart?: true;
  /** The answer is bytes. */
  binary?: true;
  /** Of the body, where it is less than the setting allows. */
  maxBodyBytes?: number;
  /** The field that carries a file in base64, decoded off the event loop where large, or is the file of a form. */
  fileField?: string;
  response: TSchema;
  /** Schema of one server-sent event, where the operation can stream. */
  event?: TSchema;
  /** Which protocol's words errors and streams have (plugins/http/dialects.ts); Lokal's own where absent. */
  dialect?: 'responses' | 'messages' | 'ollama';
  /** Status of success, 200 where absent. */
  status?: 200 | 201;
}

/** Of operations whose body is a form, and of those that take one where their JSON has a file in base64. */
export const takesForm = ({ multipart, fileField }: OperationSpec): boolean =>
  multipart === true || fileField !== undefined;
