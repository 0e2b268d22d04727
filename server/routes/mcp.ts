/** /mcp: one JSON-RPC message a request. */
import type { FastifyInstance } from 'fastify';
import type { McpService } from '../services/mcp/create-mcp.ts';
import { registerOperation } from './operation.ts';

export function registerMcp(app: FastifyInstance, mcp: McpService): void {
  registerOperation(app, 'POST /mcp', async ({ body, caller, accept }) => {
    const answer = await mcp(body, caller);
    if (answer) return answer;
    accept();
    return { jsonrpc: '2.0' as const };
  });
}
