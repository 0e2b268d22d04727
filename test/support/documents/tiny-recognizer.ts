/** Networks of text recognition with a handful of weights, laid out as PaddleOCR exports them. */

import { Graph } from '../../../server/engine/onnx/graph/graph.ts';

/** Sees text wherever the picture is dark: the probability is the sigmoid of the mean color, turned round. */
export function tinyDetector(): Uint8Array {
  const graph = new Graph('detector');
  const x = graph.input('x', 'float32', ['count', 3, 'height', 'width']);
  const weights = graph.initializer('w', 'float32', [1, 3, 1, 1], new Float32Array(3).fill(-4));
  graph.node('Conv', [x, weights], ['dark']);
  graph.node('Sigmoid', ['dark'], [graph.output('map', 'float32', ['count', 1, 'height', 'width'])]);
  return graph.toModel();
}

/** Reads class `reading` at each step of eight pixels, whatever it sees. */
export function tinyReader(classes: number, reading: number): Uint8Array {
  const graph = new Graph('reader');
  const x = graph.input('x', 'float32', ['count', 3, 48, 'width']);
  const weights = graph.initializer(
    'w',
    'float32',
    [classes, 3, 48, 8],
    new Float32Array(classes * 3 * 48 * 8),
  );
  const bias = Float32Array.from({ length: classes }, (_, index) => (index === reading ? 6 : 0));
  graph.initializer('b', 'float32', [classes], bias);
  graph.node('Conv', [x, weights, 'b'], ['scores'], { attributes: { strides: [48, 8] } });
  graph.initializer('axes', 'int64', [1], BigInt64Array.of(2n));
  graph.node('Squeeze', ['scores', 'axes'], ['flat']);
  graph.node('Transpose', ['flat'], ['steps'], { attributes: { perm: [0, 2, 1] } });
  const output = graph.output('probabilities', 'float32', ['count', 'steps', classes]);
  graph.node('Softmax', ['steps'], [output], { attributes: { axis: -1 } });
  return graph.toModel();
}

export const detectorSettings = `Global:
  model_name: tiny_det
PostProcess:
  name: DBPostProcess
  thresh: 0.3
`;

export const readerSettings = (dictionary: string[]): string => `Global:
  model_name: tiny_rec
PostProcess:
  name: CTCLabelDecode
  character_dict:
${dictionary.map((text) => `  - ${text}`).join('\n')}
`;
