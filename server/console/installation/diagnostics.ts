/** /console/diagnostics: what support asks for. */
import type { FastifyInstance } from 'fastify';
import { toSupportSettings } from '../../api/console/installation/diagnostics.ts';
import { registerOperation } from '../../routes/operation.ts';
import type { Services } from '../../services/create-services.ts';
import type { ConsoleFacts } from '../state.ts';

export function registerConsoleDiagnostics(
  app: FastifyInstance,
  { settings, packs, failures }: Services,
  { version, platform }: ConsoleFacts,
): void {
  registerOperation(app, 'GET /console/diagnostics', () => ({
    version,
    platform: `${platform} ${process.arch}`,
    node: process.versions.node,
    uptime_seconds: Math.floor(process.uptime()),
    settings: toSupportSettings(settings.get()),
    hosts: packs.overview().roles.flatMap(({ host }) => (host ? [host] : [])),
    failures: failures.latest(),
  }));
}
