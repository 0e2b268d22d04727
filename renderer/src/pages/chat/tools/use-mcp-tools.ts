/** Tools of the servers that run now, and calls of them. */
import { useMemo } from 'react';
import { useChange, useRead } from '../../../api/queries.ts';
import { type McpTool, toMcpTools } from './mcp-tools.ts';

export const mcpServersKey = 'GET /console/mcp-servers' as const;

/** Told to the model when the person says no. */
export const refusedText = 'The person refused this call.';
const noOutput = '(no output)';

export function useMcpTools(taken: readonly string[] = []) {
  const servers = useRead(mcpServersKey).data?.data;
  const { mutateAsync } = useChange('POST /console/mcp-servers/{id}/call', [mcpServersKey]);
  const names = taken.join(' ');
  const tools = useMemo(() => toMcpTools(servers ?? [], names.split(' ')), [servers, names]);
  return {
    tools,
    /** @param json the arguments as the model wrote them */
    async call({ serverId, tool }: McpTool, json: string, always: boolean): Promise<string> {
      const values = readArguments(json);
      if (!values) return 'The arguments are not a JSON object.';
      const { text } = await mutateAsync({
        params: { id: serverId },
        body: { tool, arguments: values, ...(always ? { always } : {}) },
      });
      return text.trim() || noOutput;
    },
  };
}

function readArguments(json: string): Record<string, unknown> | null {
  try {
    const values: unknown = JSON.parse(json || '{}');
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? (values as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
