/** Tables `remote_engines` and `engine_routes`. */
import type { ModelId } from '../../api/common.ts';
import type { EngineRoute, EngineTrial, RemoteEngine } from '../../api/console/engines.ts';
import type { Database } from '../open.ts';

/** The person's words on an engine, less its secret. */
export type EngineRecord = Omit<RemoteEngine, 'has_secret' | 'from_file' | 'created' | 'health' | 'trial'>;

export interface EngineRow {
  record: EngineRecord;
  /** Sealed; null where it has none. */
  secret: Buffer | null;
  trial: EngineTrial | null;
  createdMs: number;
}

export interface RemoteEngineStore {
  /** In the order they were added. */
  all(): EngineRow[];
  /** Adds it, or replaces the one of its id. */
  put(row: EngineRow): void;
  noteTrial(id: string, trial: EngineTrial): void;
  /** True if it was there. */
  remove(id: string): boolean;
  routes(): EngineRoute[];
  setRoute(route: EngineRoute): void;
  /** True if it was there. */
  removeRoute(role: ModelId): boolean;
}

interface StoredEngine {
  record: string;
  secret: Buffer | null;
  trial: string | null;
  createdMs: number;
}

/** Fields that older records have not. */
const addedLater = { pseudonyms: false };

export function createRemoteEngineStore(db: Database): RemoteEngineStore {
  const all = db.prepare<[], StoredEngine>(
    'SELECT record, secret, trial, created_ms AS createdMs FROM remote_engines ORDER BY created_ms, name',
  );
  const put = db.prepare<[Record<string, unknown>]>(
    `INSERT INTO remote_engines VALUES (@id, @name, @record, @secret, @trial, @createdMs)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, record = excluded.record, secret = excluded.secret,
     trial = excluded.trial`,
  );
  const noteTrial = db.prepare<[string, string]>('UPDATE remote_engines SET trial = ? WHERE id = ?');
  const remove = db.prepare<[string]>('DELETE FROM remote_engines WHERE id = ?');
  const routes = db.prepare<[], { route: string }>('SELECT route FROM engine_routes ORDER BY role');
  const setRoute = db.prepare<[string, string]>('INSERT OR REPLACE INTO engine_routes VALUES (?, ?)');
  const removeRoute = db.prepare<[string]>('DELETE FROM engine_routes WHERE role = ?');
  return {
    all: () =>
      all.all().map(({ record, secret, trial, createdMs }) => ({
        record: { ...addedLater, ...JSON.parse(record) },
        secret,
        trial: trial === null ? null : JSON.parse(trial),
        createdMs,
      })),
    put: ({ record, secret, trial, createdMs }) =>
      void put.run({
        id: record.id,
        name: record.name,
        record: JSON.stringify(record),
        secret,
        trial: trial && JSON.stringify(trial),
        createdMs,
      }),
    noteTrial: (id, trial) => void noteTrial.run(JSON.stringify(trial), id),
    remove: (id) => remove.run(id).changes > 0,
    routes: () => routes.all().map(({ route }) => JSON.parse(route)),
    setRoute: (route) => void setRoute.run(route.role, JSON.stringify(route)),
    removeRoute: (role) => removeRoute.run(role).changes > 0,
  };
}
