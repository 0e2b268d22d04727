/**
 * A detector of realistic work and random weights in the Hugging Face layout of RT-DETR, which this project and
 * transformers.js both read: strided convolutions over 640 × 640 pixels, a query for each place of the last map.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { randomNumbers, randomWeights } from '../onnx/random.ts';

const side = 640;
const classes = 80;
/** Channels after each halving. */
const widths = [16, 32, 64, 96, 128];

export function detectorGraph(): Uint8Array {
  const random = randomNumbers(17);
  const graph = createGraph('bench-detector', { '': 18 });
  graph.input('pixel_values', 'float32', ['n', 3, side, side]);
  const conv = (input: string, name: string, [from, to, size, stride]: [number, number, number, number]) => {
    const dims = [to, from, size, size];
    const weights = randomWeights(random, to * from * size * size, Math.sqrt(2 / (from * size * size)));
    const weight = graph.initializer(`${name}.weight`, 'float32', dims, weights);
    const pad = Math.floor(size / 2);
    const attributes = { kernel_shape: [size, size], strides: [stride, stride], pads: [pad, pad, pad, pad] };
    return graph.node('Conv', [input, weight], [name], { attributes });
  };
  let current = 'pixel_values';
  let from = 3;
  for (const [index, width] of widths.entries()) {
    current = graph.node('Relu', [conv(current, `down${index}`, [from, width, 3, 2])], [`down${index}.relu`]);
    current = graph.node(
      'Relu',
      [conv(current, `same${index}`, [width, width, 3, 1])],
      [`same${index}.relu`],
    );
    from = width;
  }
  const places = (side / 2 ** widths.length) ** 2;
  const toQueries = (input: string, channels: number, name: string) => {
    const shape = graph.initializer(
      `${name}.shape`,
      'int64',
      [3],
      BigInt64Array.of(-1n, BigInt(channels), BigInt(places)),
    );
    const flat = graph.node('Reshape', [input, shape], [`${name}.flat`]);
    return graph.node('Transpose', [flat], [`${name}.rows`], { attributes: { perm: [0, 2, 1] } });
  };
  graph.node(
    'Identity',
    [toQueries(conv(current, 'classes', [from, classes, 1, 1]), classes, 'classes')],
    ['logits'],
  );
  graph.node('Sigmoid', [toQueries(conv(current, 'boxes', [from, 4, 1, 1]), 4, 'boxes')], ['pred_boxes']);
  graph.output('logits', 'float32', ['n', places, classes]);
  graph.output('pred_boxes', 'float32', ['n', places, 4]);
  return graph.toModel();
}

/** The folder of one model, as both read it. */
export async function writeDetector(folder: string): Promise<void> {
  const labels = Array.from({ length: classes }, (_, index) => `class ${index}`);
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx/model.onnx'), detectorGraph());
  const config = {
    model_type: 'rt_detr',
    architectures: ['RTDetrForObjectDetection'],
    id2label: { ...labels },
    label2id: Object.fromEntries(labels.map((label, index) => [label, index])),
  };
  const preprocessor = {
    image_processor_type: 'RTDetrImageProcessor',
    feature_extractor_type: 'RTDetrImageProcessor',
    do_resize: true,
    size: { width: side, height: side },
    resample: 2,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: false,
    do_pad: false,
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'preprocessor_config.json'), JSON.stringify(preprocessor));
}
