/**
 * `npm test`: every stage, one line each; a failing stage prints what its tool said. The last line is the summary
 * `N passed, N failed[, N skipped]`. `npm test -- --only unit,lint` runs some of the stages.
 */
import { sum, summarize, type Tally } from './check/results.ts';
import { type Outcome, type Stage, stages } from './check/stages.ts';

function chosenStages(args: string[]): Stage[] {
  const at = args.indexOf('--only');
  if (at === -1 && args.length === 0) return stages;
  const names = (args[at + 1] ?? '').split(',');
  const chosen = stages.filter((stage) => names.includes(stage.name));
  if (at !== 0 || args.length !== 2 || chosen.length !== names.length) {
    throw new Error(`Usage: npm test -- [--only ${stages.map((stage) => stage.name).join(',')}]`);
  }
  return chosen;
}

async function runStage(stage: Stage): Promise<Tally> {
  const startedAt = performance.now();
  process.stdout.write(`${stage.name.padEnd(8)} `);
  const { tally, output } = await Promise.try(stage.run).catch(failure);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${summarize(tally)} (${seconds} s)`);
  if (tally.failed > 0) console.log(output.trimEnd());
  for (const name of tally.skipped) console.log(`  skipped: ${name}`);
  for (const name of tally.flaky ?? []) console.log(`  at the second try: ${name}`);
  return tally;
}

function failure(error: unknown): Outcome {
  const output = error instanceof Error ? error.message : String(error);
  return { tally: { passed: 0, failed: 1, skipped: [] }, output };
}

async function main(args: string[]): Promise<number> {
  const tallies: Tally[] = [];
  for (const stage of chosenStages(args)) tallies.push(await runStage(stage));
  const total = sum(tallies);
  console.log(summarize(total));
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
