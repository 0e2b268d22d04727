import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AuditLine } from '../../../server/db/journal/audit.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { findDifference, readExport, writeExport } from '../../../server/services/audit/audit-export.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { installSigningKey } from '../../../server/signing/keys.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { openTestApp, send, type TestApp } from '../../support/app/test-app.ts';

function withActs(): TestApp {
  const test = openTestApp();
  const key = test.key({ name: 'Accounts' });
  test.services.settings.update({ max_queue: 7 });
  test.services.keys.update(key.id, { name: 'Books' }, 'owner');
  test.services.keys.rotate(key.id, 60, 'owner');
  test.services.keys.revoke(key.id, 'owner');
  return test;
}

describe('the audit log', () => {
  it('tells who changed what, and never a secret', async () => {
    const test = openTestApp();
    const headers = test.session();
    const ask = (path: string, method: 'POST' | 'PATCH' | 'DELETE' | 'GET', body?: object) =>
      send(test, path, null, { headers, method, ...(body ? { body } : {}) });
    const { secret, id } = (
      await ask('/console/keys', 'POST', { name: 'Accounts', plan: 'enterprise', scopes: ['keys'] })
    ).json();
    await ask('/console/settings', 'PATCH', { max_queue: 9 });
    await send(test, '/v1/keys', { secret }, { body: { name: 'Made by a key', scopes: ['keys'] } });
    await ask(`/console/keys/${id}`, 'DELETE');
    const { data, problem } = (await ask('/console/audit', 'GET')).json();
    expect(problem).toBe(null);
    const session = expect.stringMatching(/^console ses_[0-9a-f]{16}$/);
    expect(data.reverse()).toMatchObject([
      { sequence: 1, actor: session, action: 'session.start' },
      {
        sequence: 2,
        actor: session,
        action: 'key.create',
        target: id,
        changes: { name: 'Accounts', scopes: ['keys'] },
      },
      { actor: session, action: 'settings.change', changes: { max_queue: { from: 64, to: 9 } } },
      { actor: `key ${id}`, action: 'key.create', changes: { name: 'Made by a key' } },
      { actor: session, action: 'key.revoke', target: id },
    ]);
    expect(JSON.stringify(data)).not.toContain(secret.slice(12));
    expect(JSON.stringify(data)).not.toContain(headers['x-console-secret']);
  });

  it('is written with its act or not at all', () => {
    const { services, db } = openTestApp();
    db.exec("CREATE TRIGGER refuse BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END");
    expect(() => services.keys.create({ name: 'k' }, 'owner')).toThrow('full');
    expect(() => services.settings.update({ max_queue: 3 })).toThrow('full');
    expect(services.keys.list('owner')).toEqual([]);
    expect(services.settings.get().max_queue).toBe(64);
    expect(db.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(0);
  });

  it('says nothing of an act that was refused', () => {
    const { services } = withActs();
    const before = services.audit.lines().length;
    expect(() => services.sessions.end('ses_0')).toThrow('no such session');
    expect(services.audit.lines()).toHaveLength(before);
    expect(services.audit.findBreak()).toBe(null);
  });

  it('only grows', () => {
    const { db } = withActs();
    expect(() => db.exec('DELETE FROM audit_log WHERE sequence = 2')).toThrow('append only');
    expect(() => db.exec("UPDATE audit_log SET action = 'x'")).toThrow('append only');
  });

  it.each([
    ['a line that was removed', 'DELETE FROM audit_log WHERE sequence = 2', 'line 2 is missing'],
    ['the first line removed', 'DELETE FROM audit_log WHERE sequence = 1', 'line 1 is missing'],
    ['the last line removed', 'DELETE FROM audit_log WHERE sequence = 5', 'line 5 is missing: there were 5'],
    ['all lines removed', 'DELETE FROM audit_log', 'line 1 is missing: there were 5'],
    ['an actor changed', "UPDATE audit_log SET actor = 'system ' WHERE sequence = 3", 'line 3 was changed'],
    ['a time changed', 'UPDATE audit_log SET time_ms = time_ms + 1 WHERE sequence = 4', 'line 4 was changed'],
    ['changes changed', "UPDATE audit_log SET changes = '{}' WHERE sequence = 2", 'line 2 was changed'],
    [
      'two lines in each other’s place',
      'UPDATE audit_log SET sequence = 99 WHERE sequence = 2; UPDATE audit_log SET sequence = 2 WHERE sequence = 3; UPDATE audit_log SET sequence = 3 WHERE sequence = 99',
      'line 2 was changed',
    ],
    [
      'a line put in',
      "INSERT INTO audit_log VALUES (6, 1, 'system', 'key.create', NULL, '{}', 'x')",
      'line 6 was changed',
    ],
  ])('shows %s', (_name, sql, problem) => {
    const { db, services } = withActs();
    db.exec(`DROP TRIGGER audit_log_unchanged; DROP TRIGGER audit_log_kept; ${sql}`);
    expect(services.audit.findBreak()).toBe(problem);
  });

  it('goes on from where another process left it', () => {
    const { services, file } = withActs();
    const other = openTestApp({ file });
    other.key();
    services.settings.update({ max_queue: 8 });
    expect(services.audit.lines().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(services.audit.findBreak()).toBe(null);
  });
});

describe('an export', () => {
  const key = () => installSigningKey(temporaryFolder());

  it('is whole, signed, and a beginning of the log', () => {
    const { services } = withActs();
    const text = writeExport(services.audit.lines(), key());
    services.settings.update({ max_queue: 8 });
    const { lines, signature } = readExport(text);
    expect([lines.length, signature.signer]).toEqual([5, expect.stringMatching(/^Lokal /)]);
    expect(findDifference(lines, services.audit.lines())).toBe(null);
    expect(readExport(writeExport([], key())).lines).toEqual([]);
  });

  it('shows what the log has lost since, a log made anew included', () => {
    const exported = withActs().services.audit.lines();
    expect(findDifference(exported, exported.slice(0, 3))).toContain('no longer has line 4');
    expect(findDifference(exported, withActs().services.audit.lines())).toContain('differs in line 1');
  });

  it.each<[string, (lines: string[]) => string[]]>([
    ['a line removed', (lines) => lines.toSpliced(1, 1)],
    ['the last act removed', (lines) => lines.toSpliced(-2, 1)],
    ['its end removed', (lines) => lines.slice(0, -1)],
    ['a line changed', (lines) => lines.with(1, lines[1]!.replace('"to":7', '"to":8'))],
    ['lines in another order', ([a, b, ...rest]) => [b!, a!, ...rest]],
    ['another head', (lines) => lines.with(-1, lines.at(-1)!.replace('"sequence":5', '"sequence":4'))],
    ['a line cut', (lines) => lines.with(0, lines[0]!.slice(0, 30))],
  ])('is refused with %s', (_name, change) => {
    const lines = writeExport(withActs().services.audit.lines(), key()).trim().split('\n');
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    expect(() => readExport(changed.join('\n'))).toThrow(/line|signature|cut off|end/);
  });
});

/** Fifty with LOKAL_KILLS=50. */
const kills = Number(process.env.LOKAL_KILLS ?? 5);

describe('a process that is killed', () => {
  it(`leaves acts and lines that agree, ${kills} times`, { timeout: kills * 6_000 }, async () => {
    const file = join(temporaryFolder(), 'lokal.db');
    let before = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await changeUntilKilled(file, 5 + Math.random() * 60);
      const lines = checkDatabase(file);
      expect(lines.length).toBeGreaterThan(before);
      before = lines.length;
    }
  });
});

async function changeUntilKilled(file: string, afterMs: number): Promise<void> {
  const script = fileURLToPath(new URL('../../support/audit/keep-changing.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
}

/** Whether the last line of each kind tells of the last change of its kind, and nothing changed without a line. */
function checkDatabase(file: string): AuditLine[] {
  const db = openDatabase(file);
  try {
    const stores = createStores(db);
    const audit = createAuditLog(stores.audit, Date.now);
    expect(audit.findBreak()).toBe(null);
    const lines = audit.lines();
    const of = (action: string) => lines.filter((line) => line.action === action);
    const last = of('settings.change').at(-1)?.changes.max_queue as { to: number } | undefined;
    expect(stores.settings.all().max_queue).toBe(last?.to);
    const keys = stores.keys.all();
    expect(keys.map(({ id }) => id).sort()).toEqual(
      of('key.create')
        .map(({ target }) => target)
        .sort(),
    );
    expect(keys.filter(({ revoked }) => revoked !== null)).toHaveLength(of('key.revoke').length);
    return lines;
  } finally {
    db.close();
  }
}
