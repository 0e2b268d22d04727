/** The steps of a proof: each is told as it begins, and given up when it takes too long. */

import { samples } from './samples.ts';

export interface StepBegun {
  /** From 1. */
  number: number;
  of: number;
  what: string;
  limit_ms: number;
}

export interface PlannedStep {
  what: string;
  limitMs: number;
}

const hosts = (confined: boolean) => `engine hosts ${confined ? 'confined' : 'free'}`;
const minute = 60_000;

export const serviceStep = (service: string, confined: boolean): PlannedStep => ({
  what: `${service} answers (${hosts(confined)})`,
  limitMs: 2 * minute,
});

/** Steps of one run of the product, around its services. */
export const runSteps = (confined: boolean, lingerMs: number) => ({
  doctor: { what: `lokal doctor (${hosts(confined)})`, limitMs: 2 * minute },
  import: { what: `a pack is imported, a key made (${hosts(confined)})`, limitMs: 4 * minute },
  start: { what: `the server starts (${hosts(confined)})`, limitMs: 2 * minute },
  commands: { what: `commands beside the server (${hosts(confined)})`, limitMs: 4 * minute },
  linger: {
    what: `${lingerMs / 1000} s for what is sent late (${hosts(confined)})`,
    limitMs: lingerMs + minute,
  },
});

export const interfaceStep: PlannedStep = {
  what: 'every page of the interface in a browser',
  limitMs: 3 * minute,
};
export const hashStep: PlannedStep = { what: 'hashes of the program and the packs', limitMs: 5 * minute };

export interface ProofPlan {
  withoutInterface: string | null;
  freeOnly: boolean;
  lingerMs: number;
}

export function planSteps({ withoutInterface, freeOnly, lingerMs }: ProofPlan): PlannedStep[] {
  const [confined, free] = [runSteps(true, lingerMs), runSteps(false, lingerMs)];
  const services = (isConfined: boolean) => samples().map(({ service }) => serviceStep(service, isConfined));
  return [
    ...(freeOnly
      ? []
      : [confined.doctor, confined.import, confined.start, ...services(true), confined.commands]),
    ...(withoutInterface === null ? [interfaceStep] : []),
    ...[free.import, free.start, ...services(false), free.linger],
    hashStep,
  ];
}

export const given = ({ what, limitMs }: PlannedStep): string =>
  `${what}: given up after ${Math.round(limitMs / 1000)} s`;

export class ProofSteps {
  readonly #plan: PlannedStep[];
  readonly #tell: (begun: StepBegun) => void;

  constructor(plan: PlannedStep[], tell: (begun: StepBegun) => void) {
    this.#plan = plan;
    this.#tell = tell;
  }

  /**
   * `work` hears by its signal that it was given up.
   * @throws Error naming the step and its limit when it took longer
   */
  async take<T>(step: PlannedStep, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const number = this.#plan.findIndex(({ what }) => what === step.what) + 1;
    this.#tell({ number, of: this.#plan.length, what: step.what, limit_ms: step.limitMs });
    const stopping = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const reason = new Error(given(step));
        reject(reason);
        stopping.abort(reason);
      }, step.limitMs);
    });
    try {
      return await Promise.race([work(stopping.signal), limit]);
    } finally {
      clearTimeout(timer);
    }
  }
}
