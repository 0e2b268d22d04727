/**
 * `npm run bench -- NAME --json [--quick] [--report]`: runs test/bench/NAME.ts. Progress goes to stderr; the last line of stdout is
 * one JSON object (without --json it is printed for reading). Exit code 2 for a name that is not there, 3 where a figure is
 * beyond its bound or missing (gates.ts); --quick and --report print without judging.
 */
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { beyondBounds, type Figures, gates, missingData } from './gates.ts';
import { cpuClock } from './measure.ts';

export interface BenchOptions {
  /** Small sizes, few runs: shows that the bench works, says nothing about speed. */
  quick: boolean;
  /** A Hugging Face folder of trained weights, for the benches that measure what quantization costs. */
  weights?: string;
  /** How long a bench of endurance goes on. */
  minutes?: number;
}

/** What each bench file exports. */
export interface Bench {
  run(options: BenchOptions): Promise<object>;
}

const notBenches = new Set(['run.ts', 'measure.ts', 'gates.ts']);

function benchNames(): string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((file) => /^[a-z][a-z0-9-]*\.ts$/.test(file) && !notBenches.has(file))
    .map((file) => file.slice(0, -'.ts'.length));
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      weights: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const name = positionals[0] ?? '';
  const file = new URL(`${name}.ts`, import.meta.url);
  if (!/^[a-z][a-z0-9-]*$/.test(name) || !benchNames().includes(name) || !existsSync(file)) {
    console.error(
      `usage: npm run bench -- NAME [--json] [--quick] [--report] [--weights FOLDER] [--minutes N]\nNAME is one of: ${benchNames().join(', ')}`,
    );
    return 2;
  }
  const print = (report: object) => console.log(JSON.stringify(report, null, values.json ? 0 : 2));
  const gate = gates[name] ?? {};
  const missing = missingData(gate);
  if (missing.length > 0 && !values.quick) {
    print({ bench: name, skipped: `no shared data: ${missing.join(', ')}` });
    return 0;
  }
  // Peers load onnxruntime too, which reports to its maker unless told not to.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const bench = (await import(file.href)) as Bench;
  const foreignCpu = cpuClock();
  const figures = await bench.run({
    quick: values.quick,
    ...(values.weights && { weights: values.weights }),
    ...(values.minutes && { minutes: Number(values.minutes) }),
  });
  const judged = !values.quick && !values.report;
  const below = judged ? beyondBounds(figures as Figures, gate) : [];
  print({
    bench: name,
    ...figures,
    ...(judged ? { below } : {}),
    foreign_cpu: foreignCpu(),
    ...(values.quick ? { quick: true } : {}),
  });
  return below.length > 0 ? 3 : 0;
}

// Benches may leave native threads or servers behind; the result is printed, so end here.
process.exit(await main());
