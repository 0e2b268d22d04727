import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseNext } from '../../../server/engine/images/models/captioners/decode-text.ts';
import { readLocations } from '../../../server/engine/images/models/captioners/florence.ts';
import { toScores } from '../../../server/engine/images/models/detectors/zero-shot.ts';
import type { ImageAnalyzeParams } from '../../../server/engine/images/types.ts';
import { openAnalyzer } from '../../support/images/open-starter.ts';
import {
  decoderGraph,
  embeddingGraph,
  type TinyPack,
  textEncoderGraph,
  visionEncoderGraph,
  wordTokenizer,
  writePack,
  zeroShotGraph,
} from '../../support/images/tiny-packs.ts';
import { randomNumbers } from '../../support/onnx/random.ts';

let pack: TinyPack | undefined;
afterEach(() => pack?.remove());

async function analyze(params: Partial<ImageAnalyzeParams>) {
  const analyzer = await openAnalyzer(pack!);
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer();
  try {
    return await analyzer.analyze(bytes, params);
  } finally {
    await analyzer.close();
  }
}

describe('greedy choice', () => {
  it('passes over a token that would repeat a run', () => {
    const logits = Float32Array.of(0, 3, 2, 1);
    expect(chooseNext(logits, [5, 6], 3)).toBe(1);
    expect(chooseNext(logits, [7, 8, 1, 4, 7, 8], 3)).toBe(2);
    expect(chooseNext(logits, [7, 8, 1, 4, 7, 8], 0)).toBe(1);
  });
});

describe('Florence-2', () => {
  it('reads labels and boxes out of text', () => {
    expect(
      readLocations('red car<loc_100><loc_200><loc_499><loc_999><loc_0><loc_0><loc_9><loc_9>a dog'),
    ).toEqual([
      { label: 'red car', confidence: 0.5, bbox: [0.1005, 0.2005, 0.4995, 0.9995] },
      { label: 'red car', confidence: 0.5, bbox: [0.0005, 0.0005, 0.0095, 0.0095] },
    ]);
    expect(readLocations('no boxes here')).toEqual([]);
  });

  const words = ['<s>', '<pad>', '</s>', 'cat', '<loc_100>', '<loc_200>', '<loc_300>', '<loc_400>', 'What'];
  const vocabulary = words.length;
  const files = (decoder: Uint8Array) => ({
    'onnx/vision_encoder.onnx': visionEncoderGraph(16, vocabulary),
    'onnx/embed_tokens.onnx': embeddingGraph(vocabulary),
    'onnx/encoder_model.onnx': textEncoderGraph(vocabulary),
    'onnx/decoder_model_merged.onnx': decoder,
    'tokenizer.json': wordTokenizer(words),
    'config.json': { text_config: { decoder_start_token_id: 2, eos_token_id: 2, bos_token_id: 0 } },
    'preprocessor_config.json': {
      size: { width: 16, height: 16 },
      image_mean: [0.5, 0.5, 0.5],
      image_std: [1, 1, 1],
    },
  });

  it('with a cache writes what it writes without one', async () => {
    const random = randomNumbers(2);
    const transitions = Array.from({ length: vocabulary ** 2 }, () => random() * 4 - 2);
    const captions: string[] = [];
    for (const cached of [true, false]) {
      // The plain decoder sees all words at each step, the other one the last and its cache.
      const decoder = decoderGraph(vocabulary, transitions, cached);
      pack = await writePack({ family: 'florence2' }, files(decoder));
      const { results } = await analyze({ tasks: ['caption'], language: 'zh' });
      captions.push(results[0]!.caption);
      expect(results[0]!.language).toBe('en');
      await pack.remove();
    }
    expect(captions[0]!.length).toBeGreaterThan(0);
    expect(captions[0]).toBe(captions[1]);
  });
});

describe('zero-shot scenes', () => {
  it('softmax sums to one, sigmoid judges each by itself', () => {
    const logits = Float32Array.of(1, 2, 3);
    expect(toScores(logits, 'softmax').reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    expect(toScores(logits, 'sigmoid')[0]).toBeCloseTo(1 / (1 + Math.exp(-1)), 6);
  });

  it.each(['clip', 'siglip'] as const)(
    '%s compares the picture with the labels of the manifest',
    async (family) => {
      pack = await writePack(
        { family, labels: ['beach', 'forest'], prompts: { beach: 'sand', forest: 'trees' } },
        {
          'onnx/model.onnx': zeroShotGraph(16),
          'tokenizer.json': wordTokenizer(['unknown', 'sand', 'x', 'trees']),
          'preprocessor_config.json': { size: { width: 16, height: 16 } },
        },
      );
      const { results, warnings } = await analyze({ tasks: ['scene_graph'] });
      const { beach, forest } = results[0]!.scene;
      // White is 1; the first tokens are 1 and 3, so the logits are 0.1 and 0.3.
      const [a, b] = [Math.exp(0.1), Math.exp(0.3)];
      expect(beach).toBeCloseTo(family === 'clip' ? a / (a + b) : a / (1 + a), 3);
      expect(forest).toBeCloseTo(family === 'clip' ? b / (a + b) : b / (1 + b), 3);
      expect(warnings.join()).toContain('No bound pack finds objects');
    },
  );
});
