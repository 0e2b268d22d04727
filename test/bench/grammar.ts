/**
 * Masks under JSON schemas with a vocabulary of 128k: their time, how much of it a small model's step hides, and how much of
 * the schema test suite can be honoured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelRunner } from '../../server/engine/chat/runners/model-runner.ts';
import type { Acceptor } from '../../server/engine/grammar/acceptor.ts';
import { AcceptorMask, MaskSource } from '../../server/engine/grammar/token-mask.ts';
import { writeBenchPack } from '../support/chat/bench-pack.ts';
import { llama135m } from '../support/chat/random-weights.ts';
import { acceptorOf, accepts, hasSuite, readSuite, type SuiteGroup } from '../support/chat/schema-suite.ts';
import { random } from '../support/chat/tiny-decoder.ts';
import { testVocabulary } from '../support/chat/vocabulary.ts';
import { median, rounded, timeMs } from './measure.ts';

const vocabularySize = 128_256;

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const suite = hasSuite ? readSuite('draft2020-12') : [];
  const coverage = suite.map(judge);
  const share = (verdict: Verdict) =>
    suite.length === 0 ? null : coverage.filter((each) => each === verdict).length / suite.length;
  const times = timeMasks(quick);
  const stepMs = await timeStep(quick);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    coverage: share('right'),
    /** Groups whose schema was taken and that let an invalid instance through. */
    invalid: suite.length === 0 ? null : coverage.filter((each) => each === 'lets invalid through').length,
    refused: share('refused'),
    mask_p50_ms: rounded(quantile(times, 0.5)),
    mask_p99_ms: rounded(quantile(times, 0.99)),
    /** The engine makes a mask while the model runs: what is no longer than a step costs nothing. */
    hidden_share: rounded(sum(times.map((time) => Math.min(time, stepMs))) / sum(times)),
    step_ms: rounded(stepMs),
    masks: times.length,
  };
}

type Verdict = 'right' | 'refused' | 'refuses valid' | 'lets invalid through';

function judge(group: SuiteGroup): Verdict {
  const made = acceptorOf(group.schema);
  if ('refusal' in made) return 'refused';
  const wrong = group.tests.filter(
    ({ data, valid }) => accepts(made.acceptor, JSON.stringify(data)) !== valid,
  );
  if (wrong.length === 0) return 'right';
  return wrong.some(({ valid }) => !valid) ? 'lets invalid through' : 'refuses valid';
}

/** What people ask for: a record, a list, a tree, alternatives, patterns. */
const schemas = [
  {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      email: { type: 'string', format: 'email' },
    },
    required: ['name', 'age', 'email'],
    additionalProperties: false,
  },
  {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
            price: { type: 'number', minimum: 0 },
          },
          required: ['sku', 'price'],
          additionalProperties: false,
        },
        maxItems: 20,
      },
    },
    required: ['items'],
  },
  {
    $ref: '#/$defs/n',
    $defs: {
      n: {
        type: 'object',
        properties: {
          label: { type: 'string', maxLength: 40 },
          kids: { type: 'array', items: { $ref: '#/$defs/n' } },
        },
        required: ['label'],
        additionalProperties: false,
      },
    },
  },
  {
    anyOf: [
      {
        type: 'object',
        properties: { ok: { const: true }, value: { type: 'string' } },
        required: ['ok', 'value'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { ok: { const: false }, error: { type: 'string' } },
        required: ['ok', 'error'],
        additionalProperties: false,
      },
    ],
  },
];

function timeMasks(quick: boolean): number[] {
  const vocabulary = testVocabulary(vocabularySize);
  const next = random(1);
  const times: number[] = [];
  for (const schema of schemas) {
    const made = acceptorOf(schema);
    if ('refusal' in made) throw new Error(made.refusal);
    const source = new MaskSource(vocabulary);
    for (let round = 0; round < (quick ? 1 : 5); round += 1)
      times.push(...timeOne(source, made.acceptor, { next, steps: quick ? 20 : 120, size: vocabularySize }));
  }
  return times;
}

/** A decoding step of a model of 135M: of a larger one more is hidden. */
async function timeStep(quick: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  try {
    const size = quick ? { ...llama135m, layers: 2, vocab: 2048 } : llama135m;
    await writeBenchPack(join(folder, 'pack'), { size, preset: 'speed' });
    const graph = join(folder, 'pack', 'model.onnx');
    const runner = await ModelRunner.open(graph, { threads: availableParallelism() });
    runner.allocate({ slots: 2, positions: 256 });
    const { signal } = new AbortController();
    const times: number[] = [];
    for (let past = 0; past < (quick ? 8 : 64); past += 1) {
      const run = { slot: 0, rows: [{ tokens: [300], past }], wanted: [0] };
      times.push(await timeMs(() => runner.run(run, signal)));
    }
    await runner.close();
    return median(times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Walk {
  next: () => number;
  steps: number;
  size: number;
}

/** A random walk; picking is not timed. */
function timeOne(source: MaskSource, start: Acceptor, { next, steps, size }: Walk): number[] {
  const mask = new AcceptorMask(source, start);
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const began = performance.now();
    const allowed = mask.allowed();
    times.push(performance.now() - began);
    const id = pick(allowed, size - 1, next);
    if (id === null) break;
    mask.accept(id);
  }
  return times;
}

function pick(allowed: Uint32Array, size: number, next: () => number): number | null {
  const from = Math.floor(next() * size);
  for (let step = 0; step < size; step += 1) {
    const id = (from + step) % size;
    if (allowed[id >>> 5]! & (1 << (id & 31))) return id;
  }
  return null;
}

function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
