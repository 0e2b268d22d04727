/** `lokal console-url`: a fresh link into the console of the running server. */
import { readAddress } from '../../db/data-folder.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { createConsoleSessions } from '../../services/console/sessions.ts';
import type { Command } from '../command.ts';
import { withStores } from './data.ts';

const help = `Usage: lokal console-url [--json]

Prints a link that opens the console of the running server. It works once, within an hour.`;

export const consoleUrl: Command = {
  help,
  options: {},
  run: ({ print }) =>
    withStores((stores, { home }) => {
      const address = readAddress(home);
      const token = createConsoleSessions(
        stores,
        Date.now,
        createAuditLog(stores.audit, Date.now),
      ).issueToken();
      const url = `${address}/#token=${token}`;
      print({ console_url: url }, [url]);
    }),
};
