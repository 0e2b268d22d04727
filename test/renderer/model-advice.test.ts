/** Advice on models: the table, what fits, how fast, and checksums as people paste them. */
import { describe, expect, it } from 'vitest';
import { adviseOn, readChecksum, recommend } from '../../renderer/src/pages/packs/catalogue/advice.ts';
import { openModels } from '../../renderer/src/pages/packs/catalogue/open-models.ts';

const machine = (memory_mb: number, read_bytes_per_second: number | null = 20e9) => ({
  memory_mb,
  ceiling_mb: memory_mb / 2,
  processors: 8,
  free_disk_bytes: 1e12,
  read_bytes_per_second,
});
const named = (name: string) => openModels.find((model) => model.name === name)!;

describe('The table of open models', () => {
  it('is whole: every row has its figures, and its tables and layers fit into its weights', () => {
    expect(openModels.length).toBeGreaterThan(20);
    for (const model of openModels) {
      expect(model.repository).toMatch(/^[\w-]+\/[\w.-]+$/);
      const table = (model.vocabulary * model.hidden) / 1e6;
      expect(table * (model.tied ? 1 : 2), model.name).toBeLessThan(model.weights * 0.55);
      for (const { quantization, gigabytes } of model.gguf) {
        const bits = (gigabytes * 8e3) / model.weights;
        const [least, most] = quantization === 'Q8_0' ? [8, 11.5] : [4.5, 8.2];
        expect(bits, `${model.name} ${quantization}`).toBeGreaterThan(least!);
        expect(bits, `${model.name} ${quantization}`).toBeLessThan(most!);
      }
    }
  });
});

describe('Advice', () => {
  it('counts weights, cache and the process, and what a step reads', () => {
    const { packBytes, memoryBytes, speed } = adviseOn(named('Llama 3.1 8B Instruct'), machine(32_000));
    expect(packBytes / 1e9).toBeCloseTo(4.93, 1);
    expect((memoryBytes - packBytes) / 1_048_576).toBeCloseTo(200 + 1024, 0);
    // 6.98 thousand million weights in layers at 4.4 bits, and the head.
    expect(speed!.to).toBeCloseTo((20e9 / 4.38e9) * 0.8, 1);
    expect(speed!.from).toBeCloseTo(speed!.to / 2, 6);
  });

  it('says nothing of speed where memory was not measured', () => {
    expect(adviseOn(named('Qwen3 4B'), machine(32_000, null)).speed).toBeNull();
  });

  it('tells what fits, what is tight and what is too large', () => {
    const fits = [8_000, 12_000, 32_000].map((mb) => adviseOn(named('Qwen3 4B'), machine(mb)).fit);
    expect(fits).toEqual(['tight', 'tight', 'good']);
    expect(adviseOn(named('Qwen3 32B'), machine(16_000)).fit).toBe('none');
    expect(adviseOn(named('Qwen3 4B'), machine(32_000, 5e9)).fit).toBe('slow');
    expect(adviseOn(named('Qwen3 4B'), machine(32_000, null)).fit).toBe('good');
  });

  it('recommends the largest that fits well and answers as fast as one reads', () => {
    expect(recommend(openModels, machine(64_000))?.weights).toBeLessThan(6_000);
    expect(recommend(openModels, machine(96_000, 400e9))?.name).toBe('Qwen3 32B');
    expect(recommend(openModels, machine(500))).toBeNull();
  });
});

it('a checksum is read out of what a page or a tool prints', () => {
  const sum = 'ab'.repeat(32);
  expect(readChecksum(`  SHA256: ${sum.toUpperCase()}  model.gguf`)).toBe(sum);
  expect(readChecksum(`sha256:${sum}`)).toBe(sum);
  expect(readChecksum(sum.slice(1))).toBeNull();
  expect(readChecksum(`${sum}0`)).toBeNull();
});
