/** A stage's outcome in the test run, read from the JSON that vitest and Playwright write. */

export interface Tally {
  passed: number;
  failed: number;
  /** Full names of the tests that did not run here. */
  skipped: string[];
  /** Full names of the tests that passed at their second try. */
  flaky?: string[];
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: string }[] }[];
}

export interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: unknown[];
}

/** A file that could not be loaded has no tests; it counts as one failure. */
export function tallyVitest(report: VitestReport): Tally {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const passed = tests.filter((test) => test.status === 'passed').length;
  const failed = tests.filter((test) => test.status === 'failed').length;
  const rest = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  return { passed, failed: failed + broken.length, skipped: rest.map((test) => test.fullName) };
}

/** Errors outside a test (a file that does not load) count as failures; a retried success is a success. */
export function tallyPlaywright(report: PlaywrightReport): Tally {
  const tests = report.suites.flatMap((suite) => suiteTests(suite));
  const of = (...statuses: string[]) => tests.filter((test) => statuses.includes(test.status));
  return {
    passed: of('expected', 'flaky').length,
    failed: of('unexpected').length + report.errors.length,
    skipped: of('skipped').map((test) => test.name),
    flaky: of('flaky').map((test) => test.name),
  };
}

export function sum(tallies: Tally[]): Tally {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
    skipped: tallies.flatMap((tally) => tally.skipped),
  };
}

/** `12 passed, 0 failed`, and `, 3 skipped` where there are any. */
export function summarize(tally: Tally): string {
  const skipped = tally.skipped.length > 0 ? `, ${tally.skipped.length} skipped` : '';
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

function suiteTests(suite: PlaywrightSuite): { name: string; status: string }[] {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({ name: `${suite.title} ${spec.title}`, status: test.status })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(suiteTests)];
}
