/** POST /mcp: the Model Context Protocol over Streamable HTTP, one JSON-RPC message a request. */
import { type Static, Type } from 'typebox';

const Id = Type.Union([Type.String(), Type.Integer()]);

/** A request has `method` and `id`, a notification no `id`; a client's own answers have neither method. */
export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    method: Type.Optional(Type.String()),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'McpMessage' },
);
export type McpMessage = Static<typeof McpMessage>;

export const McpAnswer = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
  },
  { title: 'McpAnswer', description: 'Notifications are answered with 202.' },
);
export type McpAnswer = Static<typeof McpAnswer>;
