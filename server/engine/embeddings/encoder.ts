import { EngineError } from '../engine.ts';
import type { NodeInfo } from '../onnx/node-info.ts';
import type { Session } from '../onnx/session.ts';
import { Tensor } from '../onnx/tensor.ts';
import { applyDense, type DenseLayer } from './dense.ts';
import type { EncoderConfig } from './encoder-config.ts';
import { refusePack } from './pack-files.ts';
import { type HiddenStates, normalize, poolRow, widenHalf } from './pooling.ts';

type RowValues = (ids: readonly number[], position: number) => number;

/** What each graph input holds at a real position of a row; padding is zeros but for the ids. */
const inputValues: Record<string, RowValues> = {
  input_ids: (ids, position) => ids[position]!,
  attention_mask: () => 1,
  token_type_ids: () => 0,
  position_ids: (_ids, position) => position,
};

const outputNames = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];
const isFloat = (node: NodeInfo) => node.type === 'float32' || node.type === 'float16';

function chooseOutput(session: Session, named: string | undefined): string {
  const floats = session.outputs.filter(isFloat).map((node) => node.name);
  const name = named ?? outputNames.find((candidate) => floats.includes(candidate)) ?? floats[0];
  if (!name || !floats.includes(name))
    throw refusePack(`its graph has no float output ${named ?? ''}`.trim());
  return name;
}

function checkInputs(session: Session): void {
  const known = (node: NodeInfo) =>
    Object.hasOwn(inputValues, node.name) && (node.type === 'int64' || node.type === 'int32');
  const strange = session.inputs.find((node) => !known(node));
  if (strange) throw refusePack(`its graph wants an input ${strange.name} that an encoder does not have.`);
  if (!session.inputs.some((node) => node.name === 'input_ids'))
    throw refusePack('its graph has no input_ids.');
}

/** Runs token rows through a graph and makes unit vectors of what comes out. Knows nothing of texts or queues. */
export class Encoder {
  readonly #session: Session;
  readonly #config: EncoderConfig;
  readonly #dense: readonly DenseLayer[];
  readonly #output: string;
  /** Sizes that the graph fixes. */
  readonly fixedRows: number | undefined;
  readonly fixedLength: number | undefined;

  constructor(session: Session, config: EncoderConfig, dense: readonly DenseLayer[]) {
    checkInputs(session);
    this.#session = session;
    this.#config = config;
    this.#dense = dense;
    this.#output = chooseOutput(session, config.output);
    const [rows, length] = session.inputs.find((node) => node.name === 'input_ids')!.dims;
    this.fixedRows = typeof rows === 'number' ? rows : undefined;
    this.fixedLength = typeof length === 'number' ? length : undefined;
  }

  /** Unit vectors of `config.dimensions` numbers, in the order of the rows. */
  async encode(rows: readonly (readonly number[])[], signal?: AbortSignal): Promise<Float32Array[]> {
    const length = this.fixedLength ?? Math.max(...rows.map((row) => row.length));
    const height = this.fixedRows ?? rows.length;
    const spans = rows.map((row) => ({
      start: this.#config.paddingSide === 'left' ? length - row.length : 0,
      count: row.length,
    }));
    const inputs = this.#session.inputs.map((node) => [
      node.name,
      this.#input(node, rows, { spans, length, height }),
    ]);
    const tensors = Object.fromEntries(inputs) as Record<string, Tensor>;
    try {
      const results = await this.#session.run(tensors, { signal, outputs: [this.#output] });
      return this.#vectors(results[this.#output]!, spans);
    } finally {
      for (const tensor of Object.values(tensors)) tensor.close();
    }
  }

  #input(
    node: NodeInfo,
    rows: readonly (readonly number[])[],
    layout: { spans: HiddenStates['spans']; length: number; height: number },
  ): Tensor {
    const { spans, length, height } = layout;
    const type = node.type === 'int32' ? 'int32' : 'int64';
    const tensor = Tensor.zeros(type, [height, length]);
    // Ids fit 32 bits: the low word of each little-endian int64 is enough, and spares a BigInt a token.
    const words = new Int32Array(tensor.data.buffer);
    const stride = type === 'int64' ? 2 : 1;
    const value = inputValues[node.name]!;
    if (node.name === 'input_ids' && this.#config.padTokenId !== 0) {
      for (let cell = 0; cell < height * length; cell++) words[cell * stride] = this.#config.padTokenId;
    }
    for (let row = 0; row < height; row++) {
      // A graph of fixed height gets the last row again where there are fewer.
      const source = Math.min(row, rows.length - 1);
      const { start, count } = spans[source]!;
      for (let position = 0; position < count; position++) {
        words[(row * length + start + position) * stride] = value(rows[source]!, position);
      }
    }
    return tensor;
  }

  #vectors(output: Tensor, spans: HiddenStates['spans']): Float32Array[] {
    const data =
      output.type === 'float16' ? widenHalf(output.data as Uint16Array) : (output.data as Float32Array);
    const width = output.dims.at(-1)!;
    return spans.map((_span, row) => {
      const pooled =
        output.dims.length === 2
          ? data.slice(row * width, (row + 1) * width)
          : this.#pool({ data, length: output.dims[1]!, width, spans }, row);
      return this.#finish(pooled);
    });
  }

  #pool(states: HiddenStates, row: number): Float32Array {
    const pooling = this.#config.pooling ?? 'mean';
    if (pooling === 'none')
      throw refusePack('encoder.pooling is none, but the output is not one vector a text.');
    let vector = poolRow(states, row, pooling);
    for (const layer of this.#dense) vector = applyDense(layer, vector);
    return vector;
  }

  #finish(vector: Float32Array): Float32Array {
    const { dimensions } = this.#config;
    if (vector.length < dimensions) {
      throw refusePack(`it gives vectors of ${vector.length} numbers where ${dimensions} are needed.`);
    }
    const kept = vector.slice(0, dimensions);
    if (!normalize(kept))
      throw new EngineError('internal_error', 'The embedding pack gave a vector without direction.');
    return kept;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
