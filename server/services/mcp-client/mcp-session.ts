/** One running server: greeted, its tools read, called. */
import type { McpCallResult } from '../../api/console/mcp-servers.ts';
import { version as lokalVersion } from '../../version.ts';
import type { McpTransport, RpcMessage } from './rpc.ts';

const protocolVersion = '2025-06-18';
const startLimitMs = 20_000;
const callLimitMs = 120_000;
const mostTools = 128;
const mostPages = 8;
/** Characters of a result that the model is shown. */
const mostText = 200_000;

export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface McpSession {
  tools: OfferedTool[];
  /** @throws Error when the server is gone, refuses, or takes longer than two minutes */
  call(name: string, values: Record<string, unknown>): Promise<McpCallResult>;
}

/** @throws Error saying what the server did wrong */
export async function beginSession(transport: McpTransport): Promise<McpSession> {
  let last = 0;
  async function request(method: string, params: Record<string, unknown>, limitMs: number) {
    last += 1;
    const answer = await transport.exchange(
      { jsonrpc: '2.0', id: last, method, params },
      AbortSignal.timeout(limitMs),
    );
    if (answer?.error) throw new Error(`it refused: ${String(answer.error.message).slice(0, 300)}`);
    return answer?.result ?? {};
  }

  const notice: RpcMessage = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await request(
    'initialize',
    { protocolVersion, capabilities: {}, clientInfo: { name: 'lokal', version: lokalVersion } },
    startLimitMs,
  );
  await transport.exchange(notice, AbortSignal.timeout(startLimitMs));
  const tools = await listTools((params) => request('tools/list', params, startLimitMs));
  return {
    tools,
    call: async (name, values) =>
      toCallResult(await request('tools/call', { name, arguments: values }, callLimitMs)),
  };
}

async function listTools(
  ask: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<OfferedTool[]> {
  const tools: OfferedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages && tools.length < mostTools; page += 1) {
    const { tools: listed, nextCursor } = await ask(cursor === undefined ? {} : { cursor });
    if (!Array.isArray(listed)) throw new Error('it lists no tools');
    tools.push(...listed.flatMap(toTool));
    cursor = nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return tools.slice(0, mostTools);
}

function toTool(listed: unknown): OfferedTool[] {
  const { name, description, inputSchema } = (listed ?? {}) as Partial<Record<keyof OfferedTool, unknown>>;
  if (typeof name !== 'string' || name === '' || name.length > 256) return [];
  const isSchema = typeof inputSchema === 'object' && inputSchema !== null && !Array.isArray(inputSchema);
  return [
    {
      name,
      description: typeof description === 'string' ? description.slice(0, 2_000) : '',
      inputSchema: isSchema ? (inputSchema as Record<string, unknown>) : { type: 'object' },
    },
  ];
}

/** Texts as they are; what a text model cannot read is named. */
function toCallResult({ content, structuredContent, isError }: Record<string, unknown>): McpCallResult {
  const parts = Array.isArray(content) ? (content as { type?: string; text?: unknown }[]) : [];
  const texts = parts.map((part) =>
    typeof part?.text === 'string' ? part.text : `[${part?.type ?? 'part'}]`,
  );
  const text =
    texts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : texts.join('\n');
  return { text: text.slice(0, mostText), is_error: isError === true };
}
