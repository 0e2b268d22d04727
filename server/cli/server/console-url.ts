/** `lokal console-url`: a fresh link into the console of the running server. */
import { readAddress } from '../../db/data-folder.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { createConsoleSessions } from '../../services/console/sessions.ts';
import type { Command } from '../command.ts';
import { withStores } from './data.ts';
import { mustRun } from './local-api.ts';

const help = `Usage: lokal console-url [--json]

Prints a link that opens the console of the running server. It works once, within an hour. Ends with code 1 where
none runs.`;

export const consoleUrl: Command = {
  help,
  options: {},
  async run({ print }) {
    await mustRun();
    await withStores((stores, { home }) => {
      const address = readAddress(home);
      const token = createConsoleSessions(
        stores,
        Date.now,
        createAuditLog(stores.audit, Date.now),
      ).issueToken();
      const url = `${address}/#token=${token}`;
      print({ console_url: url }, [url]);
    });
  },
};
