/** The ballast of a full disk: given up once, for an administrator's act. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { keepBallast } from '../../server/db/room.ts';
import { createStores } from '../../server/db/stores.ts';
import { createAuditLog } from '../../server/services/audit/audit-log.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

function opened() {
  const folder = temporaryFolder();
  const db = openDatabase(join(folder, 'lokal.db'));
  return { db, ballast: join(folder, 'ballast'), folder, stores: createStores(db) };
}

describe('the ballast', () => {
  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE'])(
    'makes room for an act that %s refused, and is kept again',
    (code) => {
      const { db, ballast, folder, stores } = opened();
      const audit = createAuditLog(stores.audit, Date.now);
      let tries = 0;
      const write = () => {
        tries += 1;
        if (existsSync(ballast)) throw refusal(code);
        return 'done';
      };
      expect(audit.act({ action: 'key.revoke' }, write)).toBe('done');
      expect([tries, audit.lines().length]).toEqual([2, 1]);
      expect(() =>
        audit.act({ action: 'key.revoke' }, () => {
          throw refusal(code);
        }),
      ).toThrow(code);
      keepBallast(folder);
      expect(statSync(ballast).size).toBe(256 * 1024);
      db.close();
    },
  );

  it('stays for other failures, and within a transaction that cannot be run again', () => {
    const { db, ballast, stores } = opened();
    const audit = createAuditLog(stores.audit, Date.now);
    const failing = (code: string) => () =>
      audit.act({ action: 'key.revoke' }, () => {
        throw refusal(code);
      });
    expect(failing('SQLITE_CONSTRAINT')).toThrow('SQLITE_CONSTRAINT');
    expect(() => stores.atomically(failing('SQLITE_FULL'))).toThrow('SQLITE_FULL');
    expect(existsSync(ballast)).toBe(true);
    db.close();
  });
});
