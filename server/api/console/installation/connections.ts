/** The ledger of connections as the console shows it. */
import { type Static, Type } from 'typebox';
import { Nullable } from '../../common.ts';

export const Connection = Type.Object(
  {
    sequence: Type.Integer({ minimum: 1 }),
    time_ms: Type.Integer({ minimum: 0 }),
    key_id: Nullable(Type.String()),
    key_name: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
    host: Type.String({ description: 'Name or address and port; never a path.' }),
    asked_by: Type.String({ description: 'The field that asked for it.' }),
    outcome: Type.Enum(['allowed', 'refused', 'failed'], { description: 'refused: never dialled.' }),
    reason: Type.String(),
  },
  { title: 'Connection' },
);
export type Connection = Static<typeof Connection>;

export const ConnectionList = Type.Object(
  { data: Type.Array(Connection, { description: 'Newest first.' }) },
  { title: 'ConnectionList' },
);

export const ConnectionExport = Type.Object(
  { text: Type.String({ description: 'JSON lines, oldest first.' }) },
  { title: 'ConnectionExport' },
);
