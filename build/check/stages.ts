/** The stages of `npm test`, in order: each gives its tally and, when it failed, what its tool printed. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, type Exit } from '../start/child.ts';
import { root, tool } from '../start/paths.ts';
import { ensureRenderer } from '../start/renderer.ts';
import { ensureChromium } from './chromium.ts';
import { type Tally, tallyPlaywright, tallyVitest } from './results.ts';

/** For a stage that hangs, on machines of half the usual speed too; what it printed until then is shown. */
const limitMs = 2_400_000;

export interface Outcome {
  tally: Tally;
  output: string;
}

export interface Stage {
  name: string;
  run: () => Promise<Outcome>;
}

export const stages: Stage[] = [
  { name: 'types', run: () => check(tool('typescript', 'bin/tsc'), ['-b']) },
  { name: 'lint', run: () => check(tool('@biomejs/biome', 'bin/biome'), ['check', '--colors=off', '.']) },
  { name: 'dead', run: () => check(tool('knip', 'bin/knip.js'), ['-c', 'build/knip.json']) },
  { name: 'unit', run: unit },
  { name: 'browser', run: browser },
];

/** A check without tests of its own counts as one. */
async function check(command: string[], args: string[]): Promise<Outcome> {
  const exit = await capture([...command, ...args], { cwd: root, timeoutMs: limitMs });
  const ok = exit.code === 0;
  return { tally: { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] }, output: exit.output };
}

async function unit(): Promise<Outcome> {
  const report = freshReport('vitest');
  const args = ['run', '-c', 'build/vitest.config.ts', '--reporter=dot', '--reporter=json'];
  const command = [...tool('vitest', 'vitest.mjs'), ...args, `--outputFile.json=${report}`];
  return readOutcome(await capture(command, { cwd: root, timeoutMs: limitMs }), report, tallyVitest);
}

async function browser(): Promise<Outcome> {
  const notes: string[] = [];
  await ensureRenderer((line) => notes.push(line));
  await ensureChromium((line) => notes.push(line));
  const report = freshReport('playwright');
  const compiled = join(root, 'dist', 'compiled');
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, NODE_COMPILE_CACHE: compiled };
  const args = ['test', '-c', 'build/playwright.config.ts', '--reporter=list,json'];
  const exit = await capture([...tool('@playwright/test', 'cli.js'), ...args], {
    cwd: root,
    env,
    timeoutMs: limitMs,
  });
  return readOutcome({ ...exit, output: [...notes, exit.output].join('\n') }, report, tallyPlaywright);
}

function freshReport(name: string): string {
  const file = join(root, 'dist', 'reports', `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

/** A tool that failed without a failed test (an unhandled error, no test found) still counts as a failure. */
function readOutcome<Report>(exit: Exit, file: string, tallyOf: (report: Report) => Tally): Outcome {
  const tally = existsSync(file)
    ? tallyOf(JSON.parse(readFileSync(file, 'utf8')) as Report)
    : { passed: 0, failed: 0, skipped: [] };
  if (exit.code !== 0 && tally.failed === 0) tally.failed = 1;
  return { tally, output: exit.output };
}
