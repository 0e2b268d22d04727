/**
 * `npm run bench -- NAME --json [--quick]`: runs test/bench/NAME.ts. Progress goes to stderr; the last line of stdout is
 * one JSON object (without --json it is printed for reading). Exit code 2 for a name that is not there.
 */
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cpuClock } from './measure.ts';

export interface BenchOptions {
  /** Small sizes, few runs: shows that the bench works, says nothing about speed. */
  quick: boolean;
}

/** What each bench file exports. */
export interface Bench {
  run(options: BenchOptions): Promise<object>;
}

const notBenches = new Set(['run.ts', 'measure.ts']);

function benchNames(): string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((file) => /^[a-z-]+\.ts$/.test(file) && !notBenches.has(file))
    .map((file) => file.slice(0, -'.ts'.length));
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  });
  const name = positionals[0] ?? '';
  const file = new URL(`${name}.ts`, import.meta.url);
  if (!/^[a-z][a-z-]*$/.test(name) || !benchNames().includes(name) || !existsSync(file)) {
    console.error(
      `usage: npm run bench -- NAME [--json] [--quick]\nNAME is one of: ${benchNames().join(', ')}`,
    );
    return 2;
  }
  // Peers load onnxruntime too, which reports to its maker unless told not to.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const bench = (await import(file.href)) as Bench;
  const foreignCpu = cpuClock();
  const result = await bench.run({ quick: values.quick });
  const report = {
    bench: name,
    ...result,
    foreign_cpu: foreignCpu(),
    ...(values.quick ? { quick: true } : {}),
  };
  console.log(values.json ? JSON.stringify(report) : JSON.stringify(report, null, 2));
  return 0;
}

// Benches may leave native threads or servers behind; the result is printed, so end here.
process.exit(await main());
