/** Unexpected errors as the log, the console and a file for support show them: never a payload, a message or a secret. */
import { type Static, Type } from 'typebox';
import { Nullable } from '../../common.ts';

export const FailureRecord = Type.Object(
  {
    time_ms: Type.Integer({ minimum: 0 }),
    kind: Type.Enum(['request', 'engine', 'open', 'exit'], {
      description:
        'Of a request in the server, a call or the opening in an engine host, or the end of a host.',
    }),
    class: Type.String({ description: 'Class of the error.' }),
    code: Nullable(Type.String({ description: 'Its code, or why a host ended.' })),
    place: Type.Array(Type.String(), { description: 'Innermost places in the code.' }),
    hash: Nullable(Type.String({ description: 'Tells messages apart; the message is not kept.' })),
    request_id: Nullable(Type.String()),
    engine: Nullable(Type.String()),
    method: Nullable(Type.String()),
    pack: Nullable(Type.String()),
    generation: Nullable(Type.Integer({ description: 'Starts of the host of this pack until then.' })),
  },
  { title: 'FailureRecord' },
);
export type FailureRecord = Static<typeof FailureRecord>;
