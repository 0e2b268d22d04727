import { describe, expect, it } from 'vitest';
import { sum, summarize, tallyPlaywright, tallyVitest } from '../../build/check/results.ts';

const test = (fullName: string, status: string) => ({ fullName, status });

describe('tallyVitest', () => {
  it('counts tests, names the skipped ones, and counts a file that does not load as one failure', () => {
    const tally = tallyVitest({
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [test('a 1', 'passed'), test('a 2', 'failed'), test('a 3', 'skipped')],
        },
        { name: 'b.test.ts', status: 'failed', assertionResults: [] },
        { name: 'c.test.ts', status: 'passed', assertionResults: [test('c 1', 'todo')] },
      ],
    });
    expect(tally).toEqual({ passed: 1, failed: 2, skipped: ['a 3', 'c 1'] });
  });
});

describe('tallyPlaywright', () => {
  it('counts through nested suites, and errors outside a test', () => {
    const spec = (title: string, ...statuses: string[]) => ({
      title,
      tests: statuses.map((status) => ({ status })),
    });
    const tally = tallyPlaywright({
      suites: [
        {
          title: 'keys.spec.ts',
          specs: [spec('lists', 'expected'), spec('revokes', 'unexpected')],
          suites: [{ title: 'inner', specs: [spec('retries', 'flaky'), spec('window', 'skipped')] }],
        },
      ],
      errors: [{}],
    });
    expect(tally).toEqual({ passed: 2, failed: 2, skipped: ['inner window'], flaky: ['inner retries'] });
  });
});

describe('summarize', () => {
  it('is the closing line of the run', () => {
    expect(summarize({ passed: 3, failed: 0, skipped: [] })).toBe('3 passed, 0 failed');
    const total = sum([
      { passed: 3, failed: 1, skipped: ['a'] },
      { passed: 4, failed: 0, skipped: ['b'] },
    ]);
    expect(summarize(total)).toBe('7 passed, 1 failed, 2 skipped');
  });
});
