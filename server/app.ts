/** Composes the HTTP side: plugins in the order a request meets them, then the routes. Listens to nothing. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { registerConsoleBatches } from './console/batches.ts';
import { registerConsoleChats } from './console/chats.ts';
import { registerConsoleEngines } from './console/engines.ts';
import { registerConsoleActivity } from './console/installation/activity.ts';
import { registerConsoleAudit } from './console/installation/audit.ts';
import { registerConsoleConnections } from './console/installation/connections.ts';
import { registerConsoleDiagnostics } from './console/installation/diagnostics.ts';
import { registerConsoleLicences } from './console/installation/licences.ts';
import { registerConsoleProgram } from './console/installation/program.ts';
import { registerConsoleTrust } from './console/installation/trust.ts';
import { registerConsoleKeys } from './console/keys.ts';
import { registerConsoleMcpServers } from './console/mcp-servers.ts';
import { registerConsolePacks } from './console/packs.ts';
import { registerConsoleRules } from './console/rules.ts';
import { registerConsoleSession } from './console/session.ts';
import { registerConsoleSettings } from './console/settings.ts';
import { type ConsoleFacts, registerConsoleState } from './console/state.ts';
import { registerConsoleTemplates } from './console/templates.ts';
import { registerConsoleWatchedFolders } from './console/watched-folders.ts';
import { registerConsoleWork } from './console/work.ts';
import { httpOptions } from './listen.ts';
import { docsAccess, noRoute, readerAccess } from './plugins/admission/access.ts';
import { guardOperations } from './plugins/admission/admission.ts';
import { followExchanges } from './plugins/client-abort.ts';
import { measureEngines } from './plugins/engine-metrics.ts';
import { acceptJson } from './plugins/http/body/json-body.ts';
import { acceptMultipart } from './plugins/http/body/multipart-body.ts';
import { allowOrigins } from './plugins/http/cors.ts';
import { answerBrokenRequest, handleErrors, sendError, toApiError } from './plugins/http/error-handler.ts';
import { checkHost, type HostRules } from './plugins/http/host-check.ts';
import { serveInterface } from './plugins/http/interface.ts';
import { requestIdOf } from './plugins/http/request-id.ts';
import { addResponseHeaders } from './plugins/http/response-headers.ts';
import { ajvOptions, toValidationError } from './plugins/http/validation.ts';
import { replayAnswers } from './plugins/idempotency.ts';
import { trackInFlight } from './plugins/in-flight.ts';
import { createMetrics } from './plugins/metrics.ts';
import { onRequestHooks } from './plugins/request-hooks.ts';
import { logRequests } from './plugins/request-log.ts';
import { meterUsage } from './plugins/usage.ts';
import { registerBatches } from './routes/batches.ts';
import { registerDocs } from './routes/docs.ts';
import { registerHealth } from './routes/health.ts';
import { registerInference } from './routes/inference.ts';
import { registerKeys } from './routes/key-management.ts';
import { registerMcp } from './routes/mcp.ts';
import { registerOllama } from './routes/ollama.ts';
import type { ProgramService } from './services/console/program.ts';
import type { Services } from './services/create-services.ts';

export interface AppDeps {
  services: Services;
  facts: ConsoleFacts;
  program: ProgramService;
  hosts: HostRules;
  /** Folder of the built interface. */
  interfaceFolder: string;
  log: FastifyBaseLogger;
  tls?: { cert: Buffer; key: Buffer };
  /** Milliseconds that requests get to finish once the server stops. */
  graceMs: number;
}

export function buildApp(deps: AppDeps): FastifyInstance {
  const { services, facts } = deps;
  const app = createFastify(deps);
  app.decorate('failures', services.failures);
  app.setSchemaErrorFormatter(toValidationError);
  const noRouteOf = (request: FastifyRequest) => noRoute(request, services.keyDirectory);
  handleErrors(app, noRouteOf);

  const inFlight = trackInFlight(app, {
    keys: services.keyDirectory,
    sessions: services.sessions,
    graceMs: deps.graceMs,
  });
  const metrics = createMetrics(inFlight.count);
  measureEngines(metrics.registry, services.remoteEngines);
  onRequestHooks(app, [
    followExchanges(app, facts.now),
    addResponseHeaders(app),
    checkHost(deps.hosts),
    inFlight.track,
    metrics.measure,
    allowOrigins(() => services.settings.get().cors_origins),
  ]);
  guardOperations(app, { ...services, keys: services.keyDirectory });
  logRequests(app, services.requestLog, services.events);
  acceptJson(app, () => services.settings.get().body_limit_mb);
  acceptMultipart(app, () => services.settings.get().body_limit_mb);
  replayAnswers(app, services.idempotency);
  meterUsage(app, services.usage);

  const access = { keys: services.keyDirectory, sessions: services.sessions };
  registerInference(app, services);
  registerBatches(app, services);
  registerOllama(app, services.ollama, facts.version);
  registerMcp(app, services.mcp);
  registerKeys(app, services.keys);
  registerHealth(app, metrics.registry, readerAccess(access));
  registerDocs(app, { version: facts.version, baseUrl: originOf(facts), access: docsAccess(access) });
  registerConsole(app, deps);
  serveInterface(app, deps.interfaceFolder, noRouteOf);
  writeBehind(app, deps);
  return app;
}

/** Without a logger: failures are recorded by our error handler, and a logger's child is made for every request. */
function createFastify({ tls }: AppDeps): FastifyInstance {
  return Fastify({
    genReqId: requestIdOf,
    ajv: { customOptions: ajvOptions },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 0,
    // Closing waits for requests longer than Fastify's 10 s; main.ts bounds it.
    pluginTimeout: 0,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      void sendError(reply.header('x-request-id', request.id), toApiError(error, reply, request.id)),
    ...(tls ? { https: { ...tls, ...httpOptions } } : { http: httpOptions }),
  }) as unknown as FastifyInstance;
}

function registerConsole(app: FastifyInstance, { services, facts, program }: AppDeps): void {
  registerConsoleSession(app, services.sessions);
  registerConsoleState(app, services, facts);
  registerConsoleKeys(app, services.keys);
  registerConsoleActivity(app, services);
  registerConsoleBatches(app, services);
  registerConsoleChats(app, services.chatRecords);
  registerConsoleWork(app, services.workRecords);
  registerConsoleTemplates(app, services.documentTemplates, services.audit);
  registerConsoleLicences(app, facts.root);
  registerConsoleAudit(app, services);
  registerConsoleConnections(app, services.connections);
  registerConsolePacks(app, services.packs);
  registerConsoleEngines(app, services.remoteEngines);
  registerConsoleMcpServers(app, services.mcpServers);
  registerConsoleWatchedFolders(app, services.watchedFolders);
  registerConsoleTrust(app, services.trust);
  registerConsoleRules(app, services.rules);
  registerConsoleDiagnostics(app, services, facts);
  registerConsoleSettings(app, services);
  registerConsoleProgram(app, program);
}

/** The server's own address; operations carry their `/v1` in the OpenAPI document. */
const originOf = (facts: ConsoleFacts) => () => facts.baseUrl().replace(/\/v1$/, '');

const writeEveryMs = 1_000;
const sweepEveryMs = 60_000;
/** At remote engines that are out: their pause says when they are asked. */
const lookEveryMs = 250;

/** Nothing is written on a request's way; what was gathered goes to the database once a second and at the end. */
function writeBehind(app: FastifyInstance, { services, log }: AppDeps): void {
  const timers: NodeJS.Timeout[] = [];
  const attempt = createAttempt(log);
  app.addHook('onReady', (done) => {
    services.deleteExpired();
    timers.push(setInterval(() => attempt(services.flush), writeEveryMs).unref());
    timers.push(setInterval(() => attempt(services.deleteExpired), sweepEveryMs).unref());
    timers.push(setInterval(services.remoteEngines.sweep, lookEveryMs).unref());
    done();
  });
  app.addHook('onClose', (_app, done) => {
    for (const timer of timers) clearInterval(timer);
    services.remoteEngines.close();
    attempt(services.flush);
    done();
  });
}

/**
 * A full disk must not take the server down; what could not be written stays for the next time. Said once when it
 * begins and once when it is over: a line each second would fill the disk that is full.
 */
export function createAttempt(log: Pick<FastifyBaseLogger, 'error' | 'info'>): (write: () => void) => void {
  const failing = new Set<() => void>();
  return (write) => {
    try {
      write();
      if (failing.delete(write)) log.info('the database is written again');
    } catch (error) {
      if (failing.has(write)) return;
      failing.add(write);
      log.error({ code: (error as { code?: string }).code }, 'the database could not be written');
    }
  };
}
