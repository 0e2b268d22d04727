/** A key from outside, for machines that nobody sits at: its secret is given at the start and taken in once. */
import type { KeyStore } from '../../db/access/key-store.ts';
import { StartError } from '../../start-error.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KeyDirectory } from './key-directory.ts';
import { newKeyRow } from './key-service.ts';
import { hashSecret, isWellFormed } from './secret.ts';

/** @throws StartError when it is not a key's secret */
export function importSecret(
  secret: string,
  { keys, directory, audit }: { keys: KeyStore; directory: KeyDirectory; audit: AuditLog },
): void {
  if (!isWellFormed(secret)) throw new StartError('LOKAL_BOOTSTRAP_KEY is not a key of Lokal.');
  const hash = hashSecret(secret);
  if (directory.all().some((key) => key.row.hash === hash)) return;
  const keyClass = secret.startsWith('sk-svc-test-') ? 'test' : 'live';
  const request = { name: 'Bootstrap key', class: keyClass, plan: 'enterprise' } as const;
  const row = newKeyRow(request, secret, Math.floor(Date.now() / 1000));
  audit.act({ action: 'key.bootstrap', target: row.id, changes: request }, () => keys.insert(row));
  directory.renew();
}
