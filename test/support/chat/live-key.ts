/** A live key in a data folder whose limits no load reaches; the server is started on the folder afterwards. */
import { join } from 'node:path';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { defaultSettings } from '../../../server/services/console/settings.ts';
import { createKeyDirectory } from '../../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../../server/services/keys/key-service.ts';

const unreached = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent: 1024 };

/** @returns the key's secret */
export function createLiveKey(home: string): string {
  const db = openDatabase(join(home, 'lokal.db'));
  const stores = createStores(db);
  stores.settings.set({ limits: { ...defaultSettings(0).limits, enterprise: unreached } });
  const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
  const service = createKeyService({
    store: stores.keys,
    directory,
    now: Date.now,
    audit: createAuditLog(stores.audit, Date.now),
  });
  const { secret } = service.create({ name: 'load', class: 'live', plan: 'enterprise' }, 'owner');
  db.close();
  return secret;
}
