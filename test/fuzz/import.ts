/**
 * `npm run fuzz:import [-- COUNT SEED [KIND]]`: COUNT damaged files each of GGUF, safetensors, an ONNX folder, a bundle and a
 * rule archive (2,000 by default). What the server does must end in an import or in one clear line and leave no file behind;
 * what an engine host does may end its process (the server tells of that), and is counted.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Told } from './import/run-cases.ts';
import { kinds } from './import/sources.ts';

const [count = 2_000, seed = 1] = process.argv.slice(2, 4).map(Number);
const wanted = kinds.filter((kind) => process.argv[4] === undefined || kind === process.argv[4]);
/** A file of a few kilobytes that takes so long has found something. */
const longestMs = 30_000;

interface Report {
  files: number;
  imported: number;
  refused: number;
  server_crashes: number;
  host_deaths: number;
  stuck: number;
  broken: number;
  slowest_ms: number;
  examples: string[];
  /** How often each kind of line was given, numbers and names left out. */
  lines: Record<string, number>;
}

const reports: Record<string, Report> = {};
for (const kind of wanted) {
  const report: Report = {
    ...{
      files: 0,
      imported: 0,
      refused: 0,
      server_crashes: 0,
      host_deaths: 0,
      stuck: 0,
      broken: 0,
      slowest_ms: 0,
    },
    ...{ examples: [], lines: {} },
  };
  reports[kind] = report;
  for (let from = 0; from < count; ) from = await runFrom(kind, from, report);
  process.stderr.write(
    `${kind}: ${JSON.stringify({ ...report, lines: Object.keys(report.lines).length })}\n`,
  );
}
const bad = Object.values(reports).reduce(
  (sum, { server_crashes, stuck, broken }) => sum + server_crashes + stuck + broken,
  0,
);
process.stdout.write(`${JSON.stringify({ fuzz: 'import', seed, reports })}\n`);
process.exitCode = bad > 0 ? 1 : 0;

/** @returns number of the next case: behind the one that ended the process, or the last */
function runFrom(kind: string, from: number, report: Report): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'lokal-fuzz-import-'));
  const script = new URL('./import/run-cases.ts', import.meta.url);
  const child = fork(script, [kind, String(from), String(count), String(seed), root], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
  });
  let now: Told = { index: from, at: 'server' };
  let errors = '';
  child.stderr!.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-2_000);
  });
  let stuck = false;
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stuck = true;
      child.kill('SIGKILL');
    }, longestMs * 4);
  };
  watch();
  child.on('message', (told: Told) => {
    watch();
    now = told;
    if (told.done) take(report, told, kind);
  });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      rmSync(root, { recursive: true, force: true });
      if (code === 0 && now.done && now.index === count - 1) return resolve(count);
      report.files += 1;
      const what = stuck ? 'stuck' : now.at === 'host' ? 'host_deaths' : 'server_crashes';
      report[what] += 1;
      if (report.examples.length < 12)
        report.examples.push(`${kind} ${now.index}: ${what} ${signal ?? code} ${errors.slice(-300)}`);
      resolve(now.index + 1);
    });
  });
}

function take(report: Report, { index, done }: Told, kind: string): void {
  const { outcome, text, ms } = done!;
  report.files += 1;
  report[outcome] += 1;
  report.slowest_ms = Math.max(report.slowest_ms, ms);
  if (outcome === 'broken' && report.examples.length < 12) report.examples.push(`${kind} ${index}: ${text}`);
  if (outcome !== 'refused') return;
  const line = text
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, '#')
    .slice(0, 120);
  report.lines[line] = (report.lines[line] ?? 0) + 1;
}
