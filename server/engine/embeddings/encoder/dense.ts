import { readFile } from 'node:fs/promises';
import { pathInPack, readJson, refusePack } from '../encoder-pack-files.ts';

/** A layer after pooling: activation(weight · x + bias). */
export interface DenseLayer {
  inputs: number;
  outputs: number;
  /** Row-major `[outputs, inputs]`. */
  weight: Float32Array;
  bias: Float32Array | undefined;
  activation: (value: number) => number;
}

interface DenseConfig {
  in_features: number;
  out_features: number;
  activation_function?: string;
}

const activations: Record<string, (value: number) => number> = {
  Identity: (value) => value,
  Tanh: Math.tanh,
  ReLU: (value) => Math.max(0, value),
};

interface SafetensorsEntry {
  dtype: string;
  data_offsets: [number, number];
}

/** float32 tensors of a small safetensors file, by name (https://github.com/huggingface/safetensors#format). */
async function readSafetensors(path: string): Promise<Map<string, Float32Array>> {
  const bytes = await readFile(path);
  const headerEnd = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, headerEnd)) as Record<string, SafetensorsEntry>;
  const tensors = new Map<string, Float32Array>();
  for (const [name, { dtype, data_offsets }] of Object.entries(header)) {
    if (dtype !== 'F32') continue;
    const [from, to] = data_offsets;
    // Copied, since a slice of the file need not start at a multiple of four.
    tensors.set(
      name,
      new Float32Array(Uint8Array.from(bytes.subarray(headerEnd + from, headerEnd + to)).buffer),
    );
  }
  return tensors;
}

/** @throws EngineError internal_error when the layer's files are missing or of a kind that is not supported */
export async function loadDenseLayer(folder: string, place: string): Promise<DenseLayer> {
  const config = await readJson<DenseConfig>(folder, `${place}/config.json`);
  if (!config) throw refusePack(`it has no ${place}/config.json.`);
  const tensors = await readSafetensors(pathInPack(folder, `${place}/model.safetensors`)).catch(() => {
    throw refusePack(`${place}/model.safetensors cannot be read.`);
  });
  const { in_features: inputs, out_features: outputs } = config;
  const weight = tensors.get('linear.weight');
  const bias = tensors.get('linear.bias');
  const activation = activations[config.activation_function?.split('.').at(-1) ?? 'Identity'];
  const fits = weight?.length === inputs * outputs && (bias === undefined || bias.length === outputs);
  if (!weight || !fits || !activation) throw refusePack(`the dense layer ${place} is not supported.`);
  return { inputs, outputs, weight, bias, activation };
}

/** `[inputs]` to `[outputs]`. @throws EngineError internal_error when the vector has another length */
export function applyDense(layer: DenseLayer, vector: Float32Array): Float32Array {
  const { inputs, outputs, weight, bias, activation } = layer;
  if (vector.length !== inputs) throw refusePack('a dense layer does not fit the vectors before it.');
  const result = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    let sum = bias?.[output] ?? 0;
    const offset = output * inputs;
    for (let input = 0; input < inputs; input++) sum += weight[offset + input]! * vector[input]!;
    result[output] = activation(sum);
  }
  return result;
}
