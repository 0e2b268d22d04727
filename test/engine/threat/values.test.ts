/** Values that break out of a query, outside of requests: in forms, records, log lines, alone. */
import { describe, expect, test } from 'vitest';
import { never, openThreatEngine } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();
const severityOf = async (text: string) => (await engine.methods.analyze({ text }, never)).severity;

describe('SQL injection in values', () => {
  test.each([
    "' OR 1=1--",
    "username=admin' OR '1'='1&password=x",
    "1' UNION SELECT password FROM users--",
    'id=5 union select user,pass from users#',
    '{"username":"admin\' OR 1=1--"}',
    "login failed for user=bob'; DROP TABLE users;--",
    "WARN LoginService user=admin' or sleep(5)# ip=203.0.113.8",
  ])('is told: %s', async (text) => expect(await severityOf(text)).toBe('high'));

  test.each([
    "SELECT * FROM a WHERE name = 'x' OR id = 3 UNION SELECT id FROM b",
    "mysql -e \"delete from t where a='x'; update b set c='d';\"",
    "SELECT id FROM t WHERE s='open' OR 's'='s'",
    "They said 'yes' or 'no' = 'maybe'",
  ])('a query itself is none: %s', async (text) => expect(await severityOf(text)).toBe('informational'));
});
