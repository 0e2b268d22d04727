/**
 * The remote engines that a person has named, and the routes of the services. A record is all that opens this machine to the
 * outside for inference: nothing is dialled without one, and none is asked before a trial has passed.
 */
import { hash, randomBytes } from 'node:crypto';
import { type ModelId, modelIds, type Region } from '../api/common.ts';
import type { Settings } from '../api/console/console.ts';
import type {
  AddEngineRequest,
  ChangeEngineRequest,
  EngineList,
  EngineRoute,
  EngineRouteView,
  EngineTimeouts,
  RemoteEngine,
} from '../api/console/engines.ts';
import type { EngineRecord, RemoteEngineStore } from '../db/choices/remote-engines.ts';
import { ApiError } from '../errors.ts';
import type { Engines } from '../hosts/engines.ts';
import { type AuditLog, changesBetween } from '../services/audit/audit-log.ts';
import type { ConnectionLedger } from '../services/console/connections.ts';
import type { EventBus } from '../services/console/events.ts';
import { seal, unseal } from '../services/idempotency/install-key.ts';
import { readBaseUrl } from './address.ts';
import type { FromFile } from './engines-file.ts';
import { type Known, LiveEngine, type RemoteEngineDeps } from './remote-engine.ts';

export const localTarget = 'local';

export interface RemoteEngines {
  list(): EngineList;
  /** Adds it, tries it and tells what was found. @throws ApiError invalid_value, conflict */
  add(request: AddEngineRequest, signal: AbortSignal): Promise<RemoteEngine>;
  /** @throws ApiError not_found, invalid_value, conflict for an engine of the file */
  change(id: string, request: ChangeEngineRequest, signal: AbortSignal): Promise<RemoteEngine>;
  /** @throws ApiError not_found, conflict */
  remove(id: string): void;
  /** @throws ApiError not_found */
  try(id: string, signal: AbortSignal): Promise<RemoteEngine>;
  /** @throws ApiError invalid_value naming an unknown target */
  setRoute(route: EngineRoute): EngineRouteView;
  /** @throws ApiError not_found */
  removeRoute(role: string): EngineRouteView;
  /** True while no engine is named, so that routing need not look. */
  readonly none: boolean;
  engines(): readonly LiveEngine[];
  route(role: ModelId): EngineRoute;
  /** Sees after engines that are out or have been silent; on a timer. */
  sweep(): void;
  close(): void;
}

export interface RemoteEnginesDeps {
  store: RemoteEngineStore;
  installKey: Buffer;
  audit: AuditLog;
  /** Packs of this machine. */
  local: Pick<Engines, 'call' | 'stream'>;
  ledger: ConnectionLedger;
  settings: () => Pick<Settings, 'sealed' | 'machine_regions'>;
  events: EventBus;
  /** Of the file given at start; what it says is changed there alone. */
  fromFile?: FromFile | null;
  now: () => number;
}

const defaultTimeouts: EngineTimeouts = {
  connect_ms: 5_000,
  first_byte_ms: 120_000,
  silence_ms: 60_000,
  total_ms: 3_600_000,
};

/** Changes of these need no trial: the engine is reached and asked as before. */
const harmless = new Set(['name', 'region', 'weight', 'concurrency', 'pseudonyms', 'enabled', 'draining']);

const contextOf = (id: string): string => `remote engine ${id}`;

export function createRemoteEngines(deps: RemoteEnginesDeps): RemoteEngines {
  const { store, installKey, audit, events, settings, now } = deps;
  const live = new Map<string, LiveEngine>();
  let routes = new Map<ModelId, EngineRoute>();
  const engineDeps: RemoteEngineDeps = {
    local: deps.local,
    ledger: deps.ledger,
    now,
    onState: (engine) => {
      const { state, reason } = engine.health.view(engine.known.record);
      events.publish({ type: 'engine', name: engine.name, state, reason });
    },
  };

  const open = (known: Known): LiveEngine => {
    const engine = new LiveEngine(known, engineDeps);
    live.get(known.record.id)?.close();
    live.set(known.record.id, engine);
    return engine;
  };

  for (const { record, secret, trial, createdMs } of store.all()) {
    const plain = secret && unseal(installKey, secret, contextOf(record.id));
    open({ record, secret: plain ? plain.toString() : null, trial, createdMs, fromFile: false });
  }
  for (const request of deps.fromFile?.engines ?? []) {
    const record = toRecord(`eng_${hash('sha256', request.name, 'hex').slice(0, 24)}`, request);
    open({ record, secret: request.secret ?? null, trial: null, createdMs: now(), fromFile: true });
  }
  const fileRoutes = new Map(deps.fromFile?.routes.map((route) => [route.role, route]));
  routes = new Map([...store.routes().map((route) => [route.role, route] as const), ...fileRoutes]);

  function find(id: string): LiveEngine {
    const engine = live.get(id);
    if (!engine) throw new ApiError('not_found', 'There is no such engine.', { param: 'id' });
    return engine;
  }

  function findOwn(id: string): LiveEngine {
    const engine = find(id);
    if (engine.known.fromFile)
      throw new ApiError('conflict', 'This engine comes from the file given at start; change it there.');
    return engine;
  }

  function checkRouteIsOwn(role: ModelId): void {
    if (fileRoutes.has(role))
      throw new ApiError('conflict', 'This route comes from the file given at start; change it there.');
  }

  function checkName(name: string, id: string): void {
    const other = [...live.values()].find((engine) => engine.name === name);
    if (name === localTarget || (other && other.known.record.id !== id))
      throw new ApiError('conflict', `There is an engine called ${name} already.`, { param: 'name' });
  }

  function keep({ known }: LiveEngine): void {
    const { record, secret, trial, createdMs } = known;
    const sealed = secret === null ? null : seal(installKey, Buffer.from(secret), contextOf(record.id));
    store.put({ record, secret: sealed, trial, createdMs });
  }

  async function tryEngine(engine: LiveEngine, signal: AbortSignal): Promise<RemoteEngine> {
    if (settings().sealed && !engine.address.loopback)
      throw new ApiError(
        'conflict',
        'Lokal is sealed: engines beyond this machine are not asked. Leave sealed mode under Settings, Network.',
      );
    const trial = await engine.try(signal);
    if (!engine.known.fromFile && live.get(engine.known.record.id) === engine)
      store.noteTrial(engine.known.record.id, trial);
    return toView(engine);
  }

  /** As `tryEngine`, where sealed mode is no reason to refuse the change itself. */
  const tryIfAllowed = (engine: LiveEngine, signal: AbortSignal): Promise<RemoteEngine> => {
    if (settings().sealed && !engine.address.loopback) {
      engine.health.refuse('Lokal is sealed');
      return Promise.resolve(toView(engine));
    }
    return tryEngine(engine, signal);
  };

  const serves = (engine: LiveEngine, role: ModelId): boolean =>
    engine.known.record.models.some((each) => each.role === role);

  const standard = (role: ModelId): EngineRoute => ({
    role,
    mode: 'weight',
    targets: [],
    spill_over: null,
  });

  function routeView(role: ModelId): EngineRouteView {
    const set = routes.get(role);
    const route = set ?? standard(role);
    const isAskable = (engine: LiveEngine) =>
      engine.known.record.enabled && !engine.known.record.draining && engine.health.standing !== 'closed';
    const named = [...live.values()];
    const all =
      route.targets.length > 0
        ? route.targets
        : named.filter((engine) => serves(engine, role)).map(({ name }) => name);
    const serving = all.filter((name) => {
      if (name === localTarget) return true;
      const engine = named.find((each) => each.name === name);
      return engine !== undefined && engine.serving(role) !== undefined && isAskable(engine);
    });
    return {
      ...route,
      set: set !== undefined,
      from_file: fileRoutes.has(role),
      serving: all.length === 0 ? [localTarget] : serving,
    };
  }

  return {
    get none() {
      return live.size === 0;
    },
    engines: () => [...live.values()],
    route: (role) => routes.get(role) ?? standard(role),
    list: () => ({
      data: [...live.values()].map(toView),
      routes: modelIds.map(routeView),
      machine_regions: settings().machine_regions as Region[],
      sealed: settings().sealed,
    }),

    add(request, signal) {
      checkName(request.name, '');
      readBaseUrl(request.base_url, request.allow_http ?? false);
      const record = toRecord(`eng_${randomBytes(6).toString('hex')}`, request);
      const engine = new LiveEngine(
        { record, secret: request.secret ?? null, trial: null, createdMs: now(), fromFile: false },
        engineDeps,
      );
      audit.act({ action: 'engine.add', target: record.name, changes: shown(record) }, () => keep(engine));
      live.set(record.id, engine);
      return tryIfAllowed(engine, signal);
    },

    change(id, request, signal) {
      const engine = findOwn(id);
      const { known } = engine;
      const { secret, ...changed } = request;
      if (changed.name !== undefined) checkName(changed.name, id);
      const record = toRecord(id, {
        ...known.record,
        ...changed,
        timeouts: { ...known.record.timeouts, ...changed.timeouts },
      });
      readBaseUrl(record.base_url, record.allow_http);
      const isHarmless = Object.keys(request).every((field) => harmless.has(field));
      const changes = {
        ...changesBetween(shown(known.record), shown(record)),
        ...(secret === undefined ? {} : { secret: 'changed' }),
      };
      const next: Known = {
        ...known,
        record,
        secret: secret === undefined ? known.secret : secret,
        trial: isHarmless ? known.trial : null,
      };
      const act = { action: 'engine.change', target: record.name, changes };
      if (isHarmless) {
        audit.act(act, () => keep({ known: next } as LiveEngine));
        Object.assign(known, next);
        engineDeps.onState(engine);
        return Promise.resolve(toView(engine));
      }
      const replaced = new LiveEngine(next, engineDeps);
      audit.act(act, () => keep(replaced));
      engine.close();
      live.set(id, replaced);
      return tryIfAllowed(replaced, signal);
    },

    remove(id) {
      const engine = findOwn(id);
      audit.act({ action: 'engine.remove', target: engine.name }, () => store.remove(id));
      live.delete(id);
      engine.close();
    },

    try: (id, signal) => tryEngine(find(id), signal),

    setRoute(route) {
      checkRouteIsOwn(route.role);
      const names = new Set([...live.values()].map(({ name }) => name));
      const unknown = route.targets.findIndex((name) => name !== localTarget && !names.has(name));
      if (unknown >= 0)
        throw new ApiError('invalid_value', `targets[${unknown}] names no engine.`, {
          param: `targets[${unknown}]`,
        });
      const before = routes.get(route.role) ?? {};
      const act = { action: 'engine.route', target: route.role, changes: changesBetween(before, route) };
      audit.act(act, () => store.setRoute(route));
      routes.set(route.role, route);
      return routeView(route.role);
    },

    removeRoute(name) {
      const role = modelIds.find((each) => each === name);
      if (!role || !routes.has(role))
        throw new ApiError('not_found', 'No route of that service is set.', { param: 'role' });
      checkRouteIsOwn(role);
      audit.act({ action: 'engine.route', target: role, changes: { set: false } }, () =>
        store.removeRoute(role),
      );
      routes.delete(role);
      return routeView(role);
    },

    sweep() {
      for (const engine of live.values()) {
        const { enabled } = engine.known.record;
        if (!enabled || (settings().sealed && !engine.address.loopback)) continue;
        if (engine.known.fromFile && engine.known.trial === null)
          void engine.try(new AbortController().signal).catch(() => {});
        else if (engine.health.wantsCheck) void engine.check();
      }
    },

    close() {
      for (const engine of live.values()) engine.close();
    },
  };
}

function toRecord(id: string, request: AddEngineRequest): EngineRecord {
  return {
    id,
    name: request.name,
    kind: request.kind,
    base_url: request.base_url,
    ca: request.ca ?? null,
    fingerprint: request.fingerprint ?? null,
    allow_http: request.allow_http ?? false,
    region: request.region ?? null,
    models:
      request.models ?? (request.kind === 'lokal' ? modelIds.map((role) => ({ role, model: role })) : []),
    weight: request.weight ?? 1,
    concurrency: request.concurrency ?? 64,
    timeouts: { ...defaultTimeouts, ...request.timeouts },
    pseudonyms: request.pseudonyms ?? false,
    enabled: request.enabled ?? true,
    draining: request.draining ?? false,
  };
}

/** For the audit log: a certificate is long and says nothing. */
const shown = ({ ca, ...record }: EngineRecord) => ({ ...record, ca: ca === null ? null : 'given' });

export function toView({ known, health }: LiveEngine): RemoteEngine {
  const { record, secret, trial, createdMs, fromFile } = known;
  return {
    ...record,
    has_secret: secret !== null,
    from_file: fromFile,
    created: Math.floor(createdMs / 1000),
    health: health.view(record),
    trial,
  };
}
