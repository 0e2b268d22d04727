/**
 * A recognizer gives a probability for each of thousands of characters at each timestep: two megabytes a line, of which a
 * handful of numbers is used. This extends the model by operators that pick those, so that nothing else leaves the run.
 *
 * Concatenated protobuf messages merge (https://protobuf.dev/programming-guides/encoding/#last-one-wins), so a graph of
 * the new nodes alone, appended to the file, adds them.
 */

import { Graph } from '../../../onnx/graph/graph.ts';
import { readFields, textAt } from '../../../onnx/graph/protobuf-reader.ts';
import { topK } from './text-models.ts';

const graphField = 7;
const operatorSetField = 8;

/** Version of ONNX's own operators, and the name of the graph's first output. @throws RangeError when cut off */
function factsOf(model: Uint8Array): { version: number; output: string } {
  let [version, output] = [0, ''];
  for (const { number, content } of readFields(model)) {
    if (number === operatorSetField && textAt(content, 1) === '')
      for (const field of readFields(content)) if (field.number === 2) version = field.value;
    if (number !== graphField) continue;
    for (const field of readFields(content)) if (field.number === 12) output ||= textAt(field.content, 1);
  }
  return { version, output };
}

/**
 * The recognizer with outputs `best_scores` and `best_classes` [count, timesteps, topK] and `blank_scores`
 * [count, timesteps, 1]; a blank is the last class. @throws RangeError for bytes that are no model
 */
export function withTopK(model: Uint8Array, classes: number): Uint8Array {
  const { version, output } = factsOf(model);
  if (output === '') throw new RangeError('the model has no output');
  const graph = new Graph('recognizer');
  const dims = ['count', 'steps', topK];
  const best = [graph.output('best_scores', 'float32', dims), graph.output('best_classes', 'int64', dims)];
  // The number of best became an input with version 10.
  if (version < 10) graph.node('TopK', [output], best, { attributes: { k: topK, axis: -1 } });
  else {
    const k = graph.initializer('best_count', 'int64', [1], BigInt64Array.of(BigInt(topK)));
    graph.node('TopK', [output, k], best, { attributes: { axis: -1 } });
  }
  const blank = graph.initializer('blank_class', 'int64', [1], BigInt64Array.of(BigInt(classes - 1)));
  const blanks = graph.output('blank_scores', 'float32', ['count', 'steps', 1]);
  graph.node('Gather', [output, blank], [blanks], { attributes: { axis: 2 } });
  const added = [...readFields(graph.toModel())].filter(
    (field) => field.number === 1 || field.number === graphField,
  );
  return Buffer.concat([model, ...added.map((field) => field.whole)]);
}
