import { EngineError } from '../../engine.ts';
import type { NodeInfo } from '../../onnx/node-info.ts';
import type { Session } from '../../onnx/session.ts';
import type { Tensor } from '../../onnx/tensor.ts';
import { refusePack } from '../encoder-pack-files.ts';
import { applyDense, type DenseLayer } from './dense.ts';
import type { EncoderConfig } from './encoder-config.ts';
import { checkInputs, inputTensors } from './graph-inputs.ts';
import { type HiddenStates, normalize, poolRow, widenHalf } from './pooling.ts';

const outputNames = ['sentence_embedding', 'embeddings', 'last_hidden_state', 'token_embeddings'];
const isFloat = (node: NodeInfo) => node.type === 'float32' || node.type === 'float16';

function chooseOutput(session: Session, named: string | undefined): string {
  const floats = session.outputs.filter(isFloat).map((node) => node.name);
  const name = named ?? outputNames.find((candidate) => floats.includes(candidate)) ?? floats[0];
  if (!name || !floats.includes(name))
    throw refusePack(`its graph has no float output ${named ?? ''}`.trim());
  return name;
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
    checkInputs(session.inputs);
    this.#session = session;
    this.#config = config;
    this.#dense = dense;
    this.#output = chooseOutput(session, config.output);
    const { dims } = session.inputs.find((node) => node.name === 'input_ids')!;
    const [rows, length] = dims.length === 2 ? dims : [];
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
    const { padTokenId } = this.#config;
    const tensors = inputTensors(this.#session.inputs, rows, { spans, length, height, padTokenId });
    try {
      const results = await this.#session.run(tensors, { signal, outputs: [this.#output] });
      return this.#vectors(results[this.#output]!, spans);
    } finally {
      for (const tensor of Object.values(tensors)) tensor.close();
    }
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
