/** Changes settings and keys without end, on the database named by the first argument: a process to be killed. */

import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { createSettingsService, defaultSettings } from '../../../server/services/console/settings.ts';
import { createKeyDirectory } from '../../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../../server/services/keys/key-service.ts';

const stores = createStores(openDatabase(process.argv[2]!));
const audit = createAuditLog(stores.audit, Date.now);
const settings = createSettingsService(stores.settings, defaultSettings(8 * 1024 ** 3), audit);
const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
const keys = createKeyService({ store: stores.keys, directory, now: Date.now, audit });
for (let round = 0; ; round += 1) {
  settings.update({ max_queue: (settings.get().max_queue + 1) % 10_000 });
  const { id } = keys.create({ name: 'k', plan: 'free' }, 'owner');
  keys.revoke(id, 'owner');
  if (round === 0) process.stdout.write('changed\n');
}
