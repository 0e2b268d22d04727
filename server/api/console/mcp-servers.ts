/** /console/mcp-servers: servers of the Model Context Protocol whose tools the chat playground may call, each call with consent. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable, UnixSeconds } from '../common.ts';

const Argument = Type.String({ maxLength: 4096 });

export const McpServerInput = Closed(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$' }),
    command: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'A program that speaks on standard input and output.',
      }),
    ),
    args: Type.Optional(Type.Array(Argument, { maxItems: 64 })),
    url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'In place of a command: Streamable HTTP on this machine.',
      }),
    ),
  },
  { title: 'McpServerInput' },
);
export type McpServerInput = Static<typeof McpServerInput>;

const ServerTool = Type.Object({
  name: Type.String(),
  description: Type.String(),
  input_schema: Type.Record(Type.String(), Type.Unknown()),
  always: Type.Boolean({ description: 'The person has allowed every call of it.' }),
});

export const McpServer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    command: Nullable(Type.String()),
    args: Type.Array(Type.String()),
    url: Nullable(Type.String()),
    state: Type.Enum(['stopped', 'starting', 'ready', 'failed']),
    error: Nullable(Type.String()),
    tools: Type.Array(ServerTool, { description: 'Known while it is ready.' }),
  },
  { title: 'McpServer' },
);
export type McpServer = Static<typeof McpServer>;

/** One call that was made; what was sent and answered is not kept. */
export const McpCall = Type.Object({
  sequence: Type.Integer({ minimum: 1 }),
  server: Type.String(),
  tool: Type.String(),
  time: UnixSeconds,
  duration_ms: Type.Number({ minimum: 0 }),
  ok: Type.Boolean(),
});
export type McpCall = Static<typeof McpCall>;

export const McpServerList = Type.Object(
  { data: Type.Array(McpServer), calls: Type.Array(McpCall, { description: 'Of this run, newest first.' }) },
  { title: 'McpServerList' },
);
export type McpServerList = Static<typeof McpServerList>;

export const McpCallRequest = Closed(
  {
    tool: Type.String({ minLength: 1, maxLength: 256 }),
    arguments: Type.Record(Type.String(), Type.Unknown()),
    always: Type.Optional(Type.Boolean({ description: 'Allows every further call of this tool.' })),
  },
  { title: 'McpCallRequest' },
);
export type McpCallRequest = Static<typeof McpCallRequest>;

export const McpCallResult = Type.Object(
  { text: Type.String(), is_error: Type.Boolean() },
  { title: 'McpCallResult' },
);
export type McpCallResult = Static<typeof McpCallResult>;
