import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landscape } from '../../support/images/landscape.ts';
import { openAnalyzer, starterPack } from '../../support/images/open-starter.ts';
import {
  decoderGraph,
  detrGraph,
  embeddingGraph,
  type TinyPack,
  textEncoderGraph,
  visionEncoderGraph,
  wordTokenizer,
  writePack,
  zeroShotGraph,
} from '../../support/images/tiny-packs.ts';
import { randomNumbers } from '../../support/onnx/random.ts';

const size = { width: 16, height: 16 };
let detector: TinyPack;
let scenes: TinyPack;
let captioner: TinyPack;
let white: Buffer;

beforeAll(async () => {
  white = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer();
  detector = await writePack(
    { family: 'detr', labels: ['fish', 'bird'], side: 16 },
    {
      'model.onnx': detrGraph([{ logits: [-9, 5], box: [0.5, 0.5, 0.4, 0.4] }], 16),
      'config.json': { model_type: 'rt_detr' },
      'preprocessor_config.json': { size },
    },
  );
  scenes = await writePack(
    { family: 'clip', labels: ['beach', 'forest'], prompts: { beach: 'sand', forest: 'trees' } },
    {
      'onnx/model.onnx': zeroShotGraph(16),
      'tokenizer.json': wordTokenizer(['unknown', 'sand', 'x', 'trees']),
      'preprocessor_config.json': { size },
    },
  );
  const words = ['<s>', '<pad>', '</s>', 'cat', '<loc_100>', '<loc_200>', '<loc_300>', '<loc_400>', 'What'];
  const random = randomNumbers(2);
  const transitions = Array.from({ length: words.length ** 2 }, () => random() * 4 - 2);
  captioner = await writePack(
    { family: 'florence2' },
    {
      'onnx/vision_encoder.onnx': visionEncoderGraph(16, words.length),
      'onnx/embed_tokens.onnx': embeddingGraph(words.length),
      'onnx/encoder_model.onnx': textEncoderGraph(words.length),
      'onnx/decoder_model_merged.onnx': decoderGraph(words.length, transitions, true),
      'tokenizer.json': wordTokenizer(words),
      'config.json': { text_config: { decoder_start_token_id: 2, eos_token_id: 2, bos_token_id: 0 } },
      'preprocessor_config.json': { size, image_mean: [0.5, 0.5, 0.5], image_std: [1, 1, 1] },
    },
  );
});
afterAll(() => Promise.all([detector, scenes, captioner].map((pack) => pack.remove())));

async function look(
  base: Omit<TinyPack, 'remove'>,
  tasks: Record<string, Omit<TinyPack, 'remove'>> = {},
  bytes = white,
) {
  const beside = Object.entries(tasks).map(([task, { folder, manifest }]) => [
    task,
    { ref: `${task}@1`, folder, manifest },
  ]);
  const analyzer = await openAnalyzer({
    folder: base.folder,
    manifest: base.manifest,
    tasks: Object.fromEntries(beside),
  });
  try {
    const { results, warnings } = await analyzer.analyze(bytes);
    return { ...results[0]!, warnings };
  } finally {
    await analyzer.close();
  }
}

describe('packs for single tasks', () => {
  it('each answers for its own, and nothing is missing', async () => {
    const alone = await look(captioner);
    const all = await look(detector, { caption: captioner, scene_graph: scenes });
    expect(all.objects.map(({ label }) => label)).toEqual(['bird']);
    expect(all.scene.beach).toBeGreaterThan(0);
    expect(all.caption).toBe(alone.caption);
    expect(all.warnings).toEqual([]);
  });

  it('what no pack does is said', async () => {
    expect((await look(scenes)).warnings.join()).toMatch(/finds objects.*writes captions/);
    const some = await look(detector, { caption: captioner });
    expect(some.warnings).toEqual(['No bound pack knows scenes; only light, blur and shape were measured.']);
  });

  it('the starter writes captions of what another pack found', async () => {
    const answer = await look(detector, { caption: starterPack(), scene_graph: starterPack() });
    expect(answer.caption).toContain('bird');
    expect(answer.objects.map(({ label }) => label)).toEqual(['bird']);
    expect(answer.scene).toHaveProperty('invoice');
    expect(answer.warnings).toEqual([]);
  });

  it('the starter asks for no captioner where one is bound', async () => {
    const { caption, warnings } = await look(starterPack(), { caption: captioner }, await landscape());
    expect(caption).not.toMatch(/^A photograph/);
    expect(warnings).toEqual([]);
  });
});
