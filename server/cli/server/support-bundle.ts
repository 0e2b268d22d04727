/** One file for support: what doctor found, the state of the server and the latest failures. Nothing is sent. */
import { totalmem } from 'node:os';
import { type Diagnostics, toSupportSettings } from '../../api/console/installation/diagnostics.ts';
import { readAddress } from '../../db/data-folder.ts';
import type { Stores } from '../../db/stores.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { createConsoleSessions } from '../../services/console/sessions.ts';
import { createSettingsService, defaultSettings } from '../../services/console/settings.ts';
import { writeOutput } from '../write-output.ts';
import { withStores } from './data.ts';

const latestFailures = 500;
const answerLimitMs = 10_000;

/** @throws Error when the file cannot be written */
export async function writeSupportBundle(file: string, doctor: object): Promise<void> {
  const state = await withStores(async (stores, { home }) => ({
    settings: toSupportSettings(
      createSettingsService(
        stores.settings,
        defaultSettings(totalmem()),
        createAuditLog(stores.audit, Date.now),
      ).get(),
    ),
    failures: stores.failures.latest(latestFailures),
    /** Null where no server runs, or it does not answer. */
    server: await askServer(stores, home).catch(() => null),
  }));
  const bundle = { written: new Date().toISOString(), doctor, ...state };
  writeOutput(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600 });
}

/** The running server tells of itself and its hosts, to a console session that ends at once. */
async function askServer(
  stores: Stores,
  home: string,
): Promise<Pick<Diagnostics, 'uptime_seconds' | 'hosts'>> {
  const address = readAddress(home);
  const sessions = createConsoleSessions(stores, Date.now, createAuditLog(stores.audit, Date.now));
  const signal = AbortSignal.timeout(answerLimitMs);
  const opened = await fetch(`${address}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: sessions.issueToken() }),
    signal,
  });
  const { secret } = (await opened.json()) as { secret: string };
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, 'x-console-secret': secret };
  const answer = await fetch(`${address}/console/diagnostics`, { headers, signal });
  const { uptime_seconds, hosts } = (await answer.json()) as Diagnostics;
  await fetch(`${address}/console/session`, { method: 'DELETE', headers, signal });
  return { uptime_seconds, hosts };
}
