/** Holds the memory of all hosts under one ceiling, as it is read from outside every second. */
import { ApiError } from '../errors.ts';
import type { HostRecord } from './host-record.ts';
import { type ReadMemory, readResidentMb } from './resident-memory.ts';

const readEveryMs = 1_000;
/** Busy hosts that are above the ceiling together only; by then one may be idle, and go in their place. */
const overCeilingMs = 5_000;

export interface CeilingDeps {
  /** Of all processes, trials and conversions too. */
  records: () => HostRecord[];
  ceilingMb: () => number;
  stop: (record: HostRecord) => Promise<void>;
  /** Lets go of a host that failed. */
  lose: (record: HostRecord, message: string) => void;
  readMemory: ReadMemory | undefined;
  now: () => number;
}

export class MemoryCeiling {
  readonly #deps: CeilingDeps;
  #timer: NodeJS.Timeout | undefined;
  #overSince: number | null = null;

  constructor(deps: CeilingDeps) {
    this.#deps = deps;
  }

  /** Begins to read, once. */
  watch(): void {
    let reading = false;
    this.#timer ??= setInterval(async () => {
      if (reading) return;
      reading = true;
      await this.#read();
      this.#keep();
      reading = false;
    }, readEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Evicts idle hosts until `neededMb` fit under the ceiling. @throws ApiError server_overloaded when they cannot */
  async makeRoom(neededMb: number, forRecord: HostRecord): Promise<void> {
    const ceilingMb = this.#deps.ceilingMb();
    for (const record of this.#leastRecentlyUsed(forRecord)) {
      if (this.#totalMb() + neededMb <= ceilingMb) return;
      await this.#deps.stop(record);
    }
    if (this.#totalMb() + neededMb > ceilingMb && neededMb > 0) {
      throw new ApiError(
        'server_overloaded',
        'There is not enough memory under the ceiling to load this model now.',
      );
    }
  }

  async #read(): Promise<void> {
    const live = this.#deps.records().filter(({ host }) => host?.pid !== undefined);
    if (live.length === 0) return;
    const resident = await (this.#deps.readMemory ?? readResidentMb)(live.map(({ host }) => host!.pid!));
    for (const record of live) record.residentMb = resident.get(record.host?.pid ?? -1) ?? record.residentMb;
  }

  /** Ends what is above the ceiling alone; else idle hosts, longest unused first; else, after a while, the largest. */
  #keep(): void {
    const ceilingMb = this.#deps.ceilingMb();
    const [largest] = this.#deps.records().sort((a, b) => (b.residentMb ?? 0) - (a.residentMb ?? 0));
    if (!largest || this.#totalMb() <= ceilingMb) {
      this.#overSince = null;
      return;
    }
    this.#overSince ??= this.#deps.now();
    const [idle] = this.#leastRecentlyUsed();
    if ((largest.residentMb ?? 0) > ceilingMb) this.#end(largest, ceilingMb);
    else if (idle) void this.#deps.stop(idle);
    else if (this.#deps.now() - this.#overSince >= overCeilingMs) this.#end(largest, ceilingMb);
  }

  #end(record: HostRecord, ceilingMb: number): void {
    const { host, residentMb } = record;
    const message = `It needed ${residentMb} MB; the ceiling for all engines is ${ceilingMb} MB.`;
    this.#deps.lose(record, message);
    host?.kill(new ApiError('server_overloaded', `The engine had to be ended. ${message}`));
  }

  #totalMb(): number {
    return this.#deps.records().reduce((sum, { residentMb }) => sum + (residentMb ?? 0), 0);
  }

  /** Idle hosts but that of `except`, longest unused first. */
  #leastRecentlyUsed(except?: HostRecord): HostRecord[] {
    return this.#deps
      .records()
      .filter((record) => record !== except && record.state === 'ready' && record.host?.running === 0)
      .sort((a, b) => a.lastUsed - b.lastUsed);
  }
}
