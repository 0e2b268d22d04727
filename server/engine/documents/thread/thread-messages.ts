/** Crosses between the host and its parsing thread: calls and replies as between server and host, and the host's networks. */
import type { MethodOf } from '../../contract.ts';
import type { CallMessage, CallReply } from '../../protocol.ts';
import type { ModelReply, ModelRequest } from '../../vision/ocr/models/remote-models.ts';

export type DocumentsMethod = MethodOf<'documents'>;

export type ToParsingThread<Method extends DocumentsMethod> =
  | CallMessage<'documents', Method>
  | { type: 'model'; reply: ModelReply }
  /** The caller has gone. */
  | { type: 'leave' };
export type FromParsingThread<Method extends DocumentsMethod> =
  | CallReply<'documents', Method>
  | { type: 'model'; request: ModelRequest }
  /** The thread rests. */
  | { type: 'left' }
  /** Pages are drawn in this thread from now on. */
  | { type: 'draws' }
  /** A page of several is drawn: the limit of silence begins anew. */
  | { type: 'page-drawn' };
