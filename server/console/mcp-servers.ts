/** /console/mcp-servers: added, started and called by the person at this machine alone. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { McpServerService } from '../services/mcp-client/mcp-servers.ts';
import { registerFromHere } from './from-here.ts';

export function registerConsoleMcpServers(app: FastifyInstance, servers: McpServerService): void {
  app.addHook('onClose', async () => servers.close());
  registerFromHere(app, 'Servers of tools are managed from this machine alone.', (scope) =>
    registerAll(scope, servers),
  );
}

function registerAll(app: FastifyInstance, servers: McpServerService): void {
  registerOperation(app, 'GET /console/mcp-servers', () => servers.list());
  registerOperation(app, 'POST /console/mcp-servers', ({ body }) => servers.add(body));
  registerOperation(app, 'DELETE /console/mcp-servers/{id}', ({ params }) => {
    servers.remove(params.id!);
    return { ok: true as const };
  });
  registerOperation(app, 'POST /console/mcp-servers/{id}/start', ({ params }) => servers.start(params.id!));
  registerOperation(app, 'POST /console/mcp-servers/{id}/stop', ({ params }) => servers.stop(params.id!));
  registerOperation(app, 'POST /console/mcp-servers/{id}/call', ({ params, body }) =>
    servers.call(params.id!, body),
  );
  registerOperation(app, 'DELETE /console/mcp-servers/{id}/allowed/{tool}', ({ params }) =>
    servers.ask(params.id!, params.tool!),
  );
}
