/** The audit log in words. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  actionText,
  actorText,
  changesText,
  targetText,
} from '../../renderer/src/pages/audit/audit-words.ts';
import type { ApiKey } from '../../server/api/keys.ts';

const keys = [{ id: 'key_a', name: 'Farah', last_four: '9kQ2' }] as ApiKey[];

test('every act that the server records has words', () => {
  const acts = globSync('server/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(
      (match) => match[1] as string,
    ),
  );
  expect(acts.length).toBeGreaterThan(30);
  expect(acts.filter((act) => actionText(act) === act)).toEqual([]);
  expect(actionText('later.act')).toBe('later.act');
});

test('keys go by name and end, sessions by what they are', () => {
  expect(actorText('console ses_1', keys)).toBe('The console');
  expect(actorText('key key_a', keys)).toBe('Key Farah …9kQ2');
  expect(targetText({ action: 'key.rotate', target: 'key_a' }, keys)).toBe('Farah …9kQ2');
  expect(targetText({ action: 'key.rotate', target: 'key_gone' }, keys)).toBe('key_gone');
  expect(targetText({ action: 'session.start', target: 'ses_1' }, keys)).toBe('–');
});

test('a browser goes by its name, not by its whole description of itself', () => {
  const agent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36';
  expect(changesText({ agent })).toBe('browser: Chromium, Linux');
});

test('times, durations, lists and what is absent are told in words', () => {
  const text = changesText({
    expires: { from: null, to: 1_796_083_199 },
    overlap_seconds: 86_400,
    scopes: ['chat', 'documents'],
    request_log_rows: 20,
  });
  expect(text).toMatch(/^expires: none → .*2026.* · old key works on for: 24 h · /);
  expect(text).toContain('scopes: chat, documents · request log rows: 20');
});
