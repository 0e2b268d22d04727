/** The lines of a trial. */
import type { EngineCheck } from '../api/console/engines.ts';
import { EngineFault } from './fault.ts';

export class CheckList {
  readonly lines: EngineCheck[] = [];

  /** Runs one check; its value, or undefined where it failed. @throws the signal's reason */
  async run<T>(
    name: string,
    work: () => Promise<{ value: T; detail?: string; outcome?: EngineCheck['outcome'] }>,
    model: string | null = null,
  ): Promise<T | undefined> {
    const startedAt = performance.now();
    const ms = () => Math.round((performance.now() - startedAt) * 10) / 10;
    try {
      const { value, detail = '', outcome = 'passed' } = await work();
      this.lines.push({ name, model, outcome, detail, ms: ms() });
      return value;
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error;
      const outcome = error.status === 404 || error.status === 501 ? 'absent' : 'failed';
      this.lines.push({ name, model, outcome, detail: error.message, ms: ms() });
      return undefined;
    }
  }

  passed(name: string, model: string | null = null): boolean {
    return this.lines.some((line) => line.name === name && line.model === model && line.outcome === 'passed');
  }
}
