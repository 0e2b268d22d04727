/**
 * `npm run interop -- upstreams [ID …]`: real engines of other makers, one at a time. LOKAL_TEST_UPSTREAMS names a folder
 * whose environments are kept; without it they are made from PyPI and removed. Each is asked directly, then through Lokal. An engine that cannot be installed is
 * skipped by name. Ends with a table, and with code 3 when a check failed.
 */
import { type CheckResult, engineCheckTable } from './check-table.ts';
import { conformanceOf } from './conformance.ts';
import { type RealEngine, realEngines, startEngine } from './engines.ts';
import { type Environment, openEnvironment } from './environments.ts';
import { factsOf } from './facts.ts';
import { startLokalBefore } from './lokal-before.ts';

/** @returns the exit code */
export async function runUpstreams(wanted: readonly string[]): Promise<number> {
  const table = engineCheckTable();
  for (const engine of realEngines.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const environment = await openEnvironment(engine).catch((error: Error) => {
      table.skipped(engine.name, error.message.split('\n')[0]!);
      return null;
    });
    if (!environment) continue;
    try {
      await checkEngine(engine, environment, table);
    } finally {
      environment.remove();
    }
  }
  table.print();
  return table.failures() === 0 ? 0 : 3;
}

async function checkEngine(
  engine: RealEngine,
  { python, versions }: Environment,
  table: ReturnType<typeof engineCheckTable>,
): Promise<void> {
  const running = await startEngine(engine, python).catch((error: Error) => {
    table.row(engine.name, versions, null, [{ name: 'starts', ok: false, detail: error.message }]);
    return null;
  });
  if (!running) return;
  const lokal = await startLokalBefore();
  const setting = { engine, running, lokal, another: () => startEngine(engine, python) };
  try {
    const results: CheckResult[] = [];
    for (const [name, holds] of factsOf(engine.id)) results.push(await resultOf(name, () => holds(running)));
    for (const [name, holds] of conformanceOf(engine.id))
      results.push(await resultOf(`through Lokal: ${name}`, () => holds(setting)));
    table.row(engine.name, versions, running.readyMs, results);
  } finally {
    await lokal.stop();
    await running.stop();
  }
}

async function resultOf(name: string, holds: () => Promise<unknown>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: String((await holds()) ?? '') };
  } catch (error) {
    return { name, ok: false, detail: String((error as Error).message).slice(0, 400) };
  }
}
