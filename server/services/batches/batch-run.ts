/**
 * One batch from its input to its output files. Each answered line is kept at once with its usage, so that a killed server goes
 * on behind it; a line that was under way is asked again. A line waits while anybody works interactively.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchEndpoint, BatchError } from '../../api/protocols/batches.ts';
import { ApiError } from '../../errors.ts';
import { type Caller, emptyMeter, type Meter, type Principal } from '../caller.ts';
import type { UsageService } from '../usage.ts';
import { type BatchRecords, type BatchState, isOver } from './batch-records.ts';
import type { FileService } from './files.ts';
import { checkInput, type InputLines, readLine } from './input-lines.ts';

export interface LineAnswer {
  status: number;
  body: unknown;
  /** Set where the same line may go well after a while. */
  retryAfterMs: number | null;
}

/** Asks an operation as a request would, body checked; throws only once the caller's signal has aborted. */
export type LinePerformer = (
  endpoint: BatchEndpoint,
  body: Record<string, unknown>,
  caller: Caller,
) => Promise<LineAnswer>;

export interface BatchRunDeps {
  records: BatchRecords;
  files: FileService;
  perform: LinePerformer;
  /** @param keyId which began it @throws ApiError once no key of the owner is valid */
  principalOf: (owner: string, keyId?: string) => Principal;
  /** Requests of others that are at work now. */
  interactive: () => number;
  deadlineMs: (principal: Principal) => number;
  usage: Pick<UsageService, 'record'>;
  atomically: <T>(work: () => T) => T;
  now: () => number;
}

type Outcome = 'completed' | 'cancelled' | 'expired' | 'failed';

const linesAtOnce = 2;
/** A line goes ahead after so long, however busy others are. */
const patienceMs = 10_000;
const pollMs = 25;
const mostTries = 4;
const mostOutputBytes = 512 * 1024 * 1024;
const windowMs = 24 * 3_600_000;

/** Settles when the batch is over, or with the signal; then it is gone on with later. */
export async function runBatch(
  { owner, id }: { owner: string; id: string },
  signal: AbortSignal,
  deps: BatchRunDeps,
): Promise<void> {
  const state = deps.records.get(owner, id);
  if (isOver(state.batch)) return;
  const bytes = inputOf(state, deps);
  if (!bytes) return failBatch(state, [fault('file_not_found', 'The input file was deleted.')], deps);
  const input = await checkInput(bytes, state.batch.endpoint);
  if (isCancelling(state, deps)) return finishBatch(state, 'cancelled', deps);
  if (signal.aborted) return;
  if (input.errors.length > 0) return failBatch(state, input.errors, deps);
  if (state.batch.status === 'validating') begin(state, input, deps);
  const run = new LineRun(state, { bytes, input }, signal, deps);
  const outcome = await run.toEnd();
  if (outcome === 'failed') return failBatch(state, run.errors, deps, run.unanswered());
  if (outcome) await finishBatch(state, outcome, deps, outcome === 'expired' ? run.unanswered() : []);
}

/** Kept before the signal tells of it. */
const isCancelling = ({ owner, batch }: BatchState, { records }: BatchRunDeps): boolean =>
  records.get(owner, batch.id).batch.status === 'cancelling';

const fault = (code: string, message: string): BatchError => ({ code, message, param: null, line: null });

function inputOf({ owner, batch }: BatchState, { files }: BatchRunDeps): Buffer | null {
  try {
    return files.content(batch.input_file_id, owner);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

export const secondsOf = ({ isTest, batch }: BatchState, now: () => number): number =>
  isTest ? batch.created_at : Math.floor(now() / 1000);

function begin(state: BatchState, { places }: InputLines, { records, now }: BatchRunDeps): void {
  change(state, {
    status: 'in_progress',
    in_progress_at: secondsOf(state, now),
    request_counts: { total: places.length, completed: 0, failed: 0 },
  });
  records.save(state);
}

function change(state: BatchState, facts: Partial<Batch>): void {
  state.batch = { ...state.batch, ...facts };
}

class LineRun {
  errors: BatchError[] = [];
  readonly #state: BatchState;
  readonly #input: { bytes: Buffer; input: InputLines };
  readonly #signal: AbortSignal;
  readonly #deps: BatchRunDeps;
  readonly #answered: Set<number>;
  #outputBytes = 0;
  #outcome: Outcome | null = null;

  constructor(
    state: BatchState,
    input: { bytes: Buffer; input: InputLines },
    signal: AbortSignal,
    deps: BatchRunDeps,
  ) {
    this.#state = state;
    this.#input = input;
    this.#signal = signal;
    this.#deps = deps;
    this.#answered = deps.records.answered(state);
  }

  /** Null: the signal came first. */
  async toEnd(): Promise<Outcome | null> {
    const open = this.#input.input.places.keys().filter((line) => !this.#answered.has(line));
    const work = async () => {
      for (const line of open) if (!(await this.#answer(line))) return;
    };
    await Promise.all(Array.from({ length: linesAtOnce }, work));
    if (isCancelling(this.#state, this.#deps)) return 'cancelled';
    if (this.#answered.size === this.#input.input.places.length) return this.#outcome ?? 'completed';
    if (this.#signal.aborted && this.#principal()) return null;
    return this.#outcome;
  }

  /** False: no further line is to be begun. */
  async #answer(line: number): Promise<boolean> {
    if (this.#signal.aborted || this.#outcome) return false;
    if (this.#deps.now() >= this.#state.startedMs + windowMs) return this.#end('expired');
    await this.#turn();
    const { customId, body } = readLine(this.#input.bytes, this.#input.input.places[line]!);
    const id = `${this.#state.batch.id.slice('batch_'.length)}_${line + 1}`;
    const asked = await this.#ask(body, `req_${id}`);
    if (!asked) return false;
    const { answer, principal, meter } = asked;
    const text = JSON.stringify({
      id: `batch_req_${id}`,
      custom_id: customId,
      response: { status_code: answer.status, request_id: `req_${id}`, body: answer.body },
      error: null,
    });
    this.#keep({ line, text, failed: answer.status >= 400 }, principal, meter);
    this.#outputBytes += text.length;
    if (this.#outputBytes <= mostOutputBytes) return true;
    return this.#end('failed', fault('output_too_large', 'The output is over 512 MB; send fewer lines.'));
  }

  #keep(result: { line: number; text: string; failed: boolean }, principal: Principal, meter: Meter): void {
    const { records, usage, atomically } = this.#deps;
    const { promptTokens, completionTokens } = meter;
    atomically(() => {
      records.putLine(this.#state, { ...result, promptTokens, completionTokens });
      if (!result.failed || promptTokens + completionTokens > 0) usage.record(principal, meter);
    });
    this.#answered.add(result.line);
  }

  #end(outcome: Outcome, error?: BatchError): false {
    this.#outcome ??= outcome;
    if (error) this.errors = [error];
    return false;
  }

  /** Null, and the end of the batch, once its key is no longer valid. */
  #principal(): Principal | null {
    try {
      return this.#deps.principalOf(this.#state.owner, this.#state.keyId);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#end('failed', fault(error.code, error.message));
      return null;
    }
  }

  async #turn(): Promise<void> {
    if (this.#state.isTest) return;
    const until = performance.now() + patienceMs;
    while (this.#deps.interactive() > 0 && performance.now() < until && !this.#signal.aborted)
      await sleep(pollMs);
  }

  /** Null: the signal came first, or the end of the key. */
  async #ask(
    body: Record<string, unknown>,
    requestId: string,
  ): Promise<(Pick<Caller, 'principal' | 'meter'> & { answer: LineAnswer }) | null> {
    const signal = this.#signal;
    const here = { region: null, pack: null, localOnly: false, session: null, hops: [], files: new Map() };
    for (let tries = 1; ; tries += 1) {
      const principal = this.#principal();
      if (!principal || signal.aborted) return null;
      const meter = emptyMeter();
      const deadlineMs = this.#deps.deadlineMs(principal);
      const caller = { principal, requestId, meter, signal, deadlineMs, ...here };
      try {
        const answer = await this.#deps.perform(this.#state.batch.endpoint, body, caller);
        if (signal.aborted) return null;
        if (answer.retryAfterMs === null || tries === mostTries || this.#state.isTest)
          return { answer, principal, meter };
        await sleep(answer.retryAfterMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    }
  }

  /** Lines of the error file for what was not answered before the end. */
  unanswered(): Buffer[] {
    const { bytes, input } = this.#input;
    return input.places.flatMap((place, line) => {
      if (this.#answered.has(line)) return [];
      const [fault = { code: 'batch_expired', message: 'The batch was not done within 24 hours.' }] =
        this.errors;
      const error = { code: fault.code, message: fault.message };
      const id = `batch_req_${this.#state.batch.id.slice('batch_'.length)}_${line + 1}`;
      const row = { id, custom_id: readLine(bytes, place).customId, response: null, error };
      return Buffer.from(`${JSON.stringify(row)}\n`);
    });
  }
}

function failBatch(
  state: BatchState,
  data: BatchError[],
  deps: BatchRunDeps,
  unanswered: Buffer[] = [],
): Promise<void> {
  change(state, { errors: { object: 'list', data } });
  return finishBatch(state, 'failed', deps, unanswered);
}

const momentOf: Record<Outcome, keyof Batch> = {
  completed: 'completed_at',
  cancelled: 'cancelled_at',
  expired: 'expired_at',
  failed: 'failed_at',
};

/** Makes the output files of what was answered, in one transaction with the end of the batch. */
export async function finishBatch(
  state: BatchState,
  outcome: Outcome,
  deps: BatchRunDeps,
  moreErrors: Buffer[] = [],
): Promise<void> {
  const { records, atomically, now } = deps;
  const at = secondsOf(state, now);
  if (outcome === 'completed') {
    change(state, { status: 'finalizing', finalizing_at: at });
    records.save(state);
  }
  const output = await collect(records.texts(state, false));
  const errors = Buffer.concat([await collect(records.texts(state, true)), ...moreErrors]);
  atomically(() => {
    const kept = records.get(state.owner, state.batch.id).batch;
    const failed = kept.request_counts.failed + moreErrors.length;
    change(state, {
      ...kept,
      errors: state.batch.errors,
      request_counts: { ...kept.request_counts, failed },
      output_file_id: write(output, 'output', state, deps),
      error_file_id: write(errors, 'error', state, deps),
      status: outcome,
      [momentOf[outcome]]: at,
    });
    records.save(state);
    records.clearLines(state);
  });
}

async function collect(texts: Generator<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for (const text of texts) {
    all.push(text);
    if (all.length % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat(all);
}

function write(
  bytes: Buffer,
  kind: 'output' | 'error',
  state: BatchState,
  { files, now }: BatchRunDeps,
): string | null {
  if (bytes.length === 0) return null;
  const { id } = state.batch;
  const file = files.write(bytes, {
    owner: state.owner,
    identity: { id: `${id.slice('batch_'.length)}-${kind}`, created: secondsOf(state, now) },
    filename: `${id}_${kind}.jsonl`,
    purpose: 'batch_output',
    expiresAfterSeconds: state.outputSeconds ?? undefined,
  });
  return file.id;
}
