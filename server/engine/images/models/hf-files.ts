/** The Hugging Face ONNX layout of a vision model: preprocessing of pictures, names of classes. */
import type { Kernel, Picture } from '../input/picture.ts';
import type { Fitted, Normalization } from './fit.ts';
import { stretch } from './fit.ts';
import { starterFiles } from './starter-config.ts';

/** preprocessor_config.json, as transformers writes it. */
interface PreprocessorFile {
  size?: number | { width?: number; height?: number; shortest_edge?: number; longest_edge?: number };
  crop_size?: number | { width: number; height: number };
  do_center_crop?: boolean;
  do_rescale?: boolean;
  do_normalize?: boolean;
  rescale_factor?: number;
  resample?: number;
  image_mean?: [number, number, number];
  image_std?: [number, number, number];
}

export interface Preprocessing {
  /** Shortest and longest side for models that keep the aspect, else the size that pictures are stretched to. */
  size: { width: number; height: number } | { shortest: number; longest: number };
  crop: { width: number; height: number } | undefined;
  kernel: Kernel;
  normalization: Normalization;
}

/** Pillow's numbers. */
const kernels: Record<number, Kernel> = { 0: 'nearest', 1: 'lanczos3', 2: 'linear', 3: 'cubic' };

const square = (side: number) => ({ width: side, height: side });

function readSize(size: PreprocessorFile['size'], usual: number): Preprocessing['size'] {
  if (typeof size === 'number') return square(size);
  if (size?.width && size.height) return { width: size.width, height: size.height };
  if (size?.shortest_edge) {
    return { shortest: size.shortest_edge, longest: size.longest_edge ?? Number.POSITIVE_INFINITY };
  }
  return square(usual);
}

export async function readPreprocessing(folder: string, usualSide: number): Promise<Preprocessing> {
  const file = (await starterFiles.readJson<PreprocessorFile>(folder, 'preprocessor_config.json')) ?? {};
  const crop = typeof file.crop_size === 'number' ? square(file.crop_size) : file.crop_size;
  const normalize = file.do_normalize !== false && file.image_mean !== undefined;
  return {
    size: readSize(file.size, usualSide),
    crop: file.do_center_crop ? crop : undefined,
    kernel: kernels[file.resample ?? 2] ?? 'linear',
    normalization: {
      scale: file.do_rescale === false ? 1 : (file.rescale_factor ?? 1 / 255),
      mean: normalize ? file.image_mean! : [0, 0, 0],
      std: normalize ? (file.image_std ?? [1, 1, 1]) : [1, 1, 1],
    },
  };
}

/** As the model wants it: stretched, or with the aspect kept between shortest and longest side. */
export function fitFor(picture: Picture, { size, kernel }: Preprocessing): Promise<Fitted> {
  if ('width' in size) return stretch(picture, size, kernel);
  const shorter = Math.min(picture.width, picture.height);
  const longer = Math.max(picture.width, picture.height);
  const scale = Math.min(size.shortest / shorter, size.longest / longer);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return stretch(picture, { width: side(picture.width), height: side(picture.height) }, kernel);
}

export interface ModelConfig {
  model_type?: string;
  id2label?: Record<string, string>;
  decoder_start_token_id?: number;
  eos_token_id?: number;
  bos_token_id?: number;
  decoder?: ModelConfig;
  text_config?: ModelConfig;
}

export const readModelConfig = async (folder: string): Promise<ModelConfig> =>
  (await starterFiles.readJson<ModelConfig>(folder, 'config.json')) ?? {};

/** Class names by index; an index without a name is called by its number. */
export function readConfigLabels({ id2label = {} }: ModelConfig): string[] {
  const labels: string[] = [];
  for (const [index, label] of Object.entries(id2label)) labels[Number(index)] = label;
  return Array.from(labels, (label, index) => label ?? `label_${index}`);
}
