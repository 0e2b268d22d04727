/** One remote engine while Lokal runs: its record, the connection over it, and how it fares. */
import type { ModelId } from '../api/common.ts';
import type { EngineCapabilities, EngineTrial } from '../api/console/engines.ts';
import type { EngineRecord } from '../db/choices/remote-engines.ts';
import type { Engines } from '../hosts/engines.ts';
import type { ConnectionLedger } from '../services/console/connections.ts';
import type { EngineAdapter } from './adapter.ts';
import { type EngineAddress, readBaseUrl } from './address.ts';
import { EngineConnection } from './connection.ts';
import { EngineFault } from './fault.ts';
import { HealthTracker } from './health.ts';
import { lokalAdapter } from './lokal/adapter.ts';
import { oipAdapter } from './oip/adapter.ts';
import { openAiAdapter } from './openai/adapter.ts';

export interface RemoteEngineDeps {
  /** Packs of this machine. */
  local: Pick<Engines, 'call' | 'stream'>;
  ledger: ConnectionLedger;
  /** Unix milliseconds. */
  now: () => number;
  onState: (engine: LiveEngine) => void;
}

export interface Known {
  record: EngineRecord;
  secret: string | null;
  trial: EngineTrial | null;
  createdMs: number;
  fromFile: boolean;
}

const adapters: Partial<Record<EngineRecord['kind'], EngineAdapter>> = {
  openai: openAiAdapter,
  lokal: lokalAdapter,
  oip: oipAdapter,
};

const trialMs = 180_000;
const checkMs = 10_000;

export class LiveEngine {
  readonly known: Known;
  readonly health: HealthTracker;
  readonly address: EngineAddress;
  readonly #deps: RemoteEngineDeps;
  #connection: EngineConnection | null = null;

  /** @throws ApiError invalid_value where the base URL is none */
  constructor(known: Known, deps: RemoteEngineDeps) {
    this.known = known;
    this.#deps = deps;
    this.address = readBaseUrl(known.record.base_url, known.record.allow_http);
    this.health = new HealthTracker({ now: deps.now, onState: () => deps.onState(this) });
    // A trial that passed before a restart stands until something is heard to the contrary.
    if (known.trial?.passed) this.health.passed();
  }

  get name(): string {
    return this.known.record.name;
  }

  get adapter(): EngineAdapter | undefined {
    return adapters[this.known.record.kind];
  }

  get connection(): EngineConnection {
    const { record, secret } = this.known;
    this.#connection ??= new EngineConnection({
      name: record.name,
      address: this.address,
      secret,
      ca: record.ca,
      fingerprint: record.fingerprint,
      timeouts: record.timeouts,
      ledger: this.#deps.ledger,
    });
    return this.#connection;
  }

  /** The findings of the trial on the model that serves a role; undefined where none does. */
  serving(role: ModelId): EngineCapabilities | undefined {
    return this.known.trial?.models.find((each) => each.role === role && each.usable);
  }

  /** Tries it and keeps what was found. @throws the signal's reason */
  async try(signal: AbortSignal): Promise<EngineTrial> {
    const { record, secret } = this.known;
    const time = Math.floor(this.#deps.now() / 1000);
    const base = { time, address: this.connection.target };
    if (!this.adapter)
      return this.#keep({ ...base, ...nothing, summary: `engines of kind ${record.kind} are not asked yet` });
    const within = AbortSignal.any([signal, AbortSignal.timeout(trialMs)]);
    this.health.beginCheck();
    const report = await this.adapter.trial({
      connection: this.connection,
      hasSecret: secret !== null,
      models: record.models,
      local: this.#deps.local,
      signal: within,
    });
    const failed = report.checks.find(({ outcome }) => outcome === 'failed');
    const reached = report.checks.some(({ name, outcome }) => name === 'authorized' && outcome === 'passed');
    const usable = report.models.filter((each) => each.usable);
    const passed = reached && usable.length > 0;
    const summary = passed
      ? usable.map(inWords).join('; ')
      : reached && record.models.length === 0
        ? 'reached; name the models that serve our roles'
        : `${failed?.name ?? 'trial'}: ${failed?.detail ?? 'no model can be used'}`;
    return this.#keep({ ...base, ...report, passed, summary });
  }

  #keep(trial: EngineTrial): EngineTrial {
    this.known.trial = trial;
    if (trial.passed) this.health.passed();
    else {
      const denied = trial.checks.some(({ detail }) => detail.startsWith('it refuses this server’s secret'));
      if (denied) this.health.failed(new EngineFault('denied', trial.summary));
      else this.health.forget();
      this.health.refuse(trial.summary);
    }
    return trial;
  }

  /** Sees if it is there and takes our secret; its health tells. */
  async check(): Promise<void> {
    if (!this.adapter) return;
    this.health.beginCheck();
    const signal = AbortSignal.timeout(checkMs);
    try {
      await this.adapter.check({ connection: this.connection, signal });
      this.health.passed();
    } catch (error) {
      this.health.failed(
        error instanceof EngineFault ? error : new EngineFault('timeout', `no answer within ${checkMs} ms`),
      );
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

const nothing = { passed: false, server: null, found: [], checks: [], models: [] };

function inWords({
  role,
  model,
  first_byte_ms: first,
  tokens_per_second: speed,
}: EngineCapabilities): string {
  const times = [first === null ? '' : `${first} ms`, speed === null ? '' : `${speed} tokens/s`].filter(
    Boolean,
  );
  return `${role}: ${model}${times.length > 0 ? ` (${times.join(', ')})` : ''}`;
}
