/** Messages between the server and its body thread. */
import type { ErrorCode } from '../../../errors.ts';

export interface BodyChunk {
  kind: 'chunk';
  id: number;
  bytes: ArrayBuffer;
}

/** All chunks are there, or the request is gone. */
export interface BodyEnd {
  kind: 'end' | 'drop';
  id: number;
  /** The field that carries a file in base64, where the operation has one. */
  fileField: string | null;
}

/** A file cut out of its body: the body holds `name` in its place. */
export interface CutFile {
  name: string;
  /** Null where the field is not base64. */
  bytes: Uint8Array | null;
}

export interface ReadBody {
  value: unknown;
  file: CutFile | null;
}

export type BodyReply = { id: number } & (
  | { read: ReadBody }
  | { refused: { code: ErrorCode; message: string } }
);
