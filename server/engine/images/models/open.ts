/** Opens what a pack brings: the starter's pair of networks, or the families that its manifest's `vision` block names. */
import { Tokenizer } from '@huggingface/tokenizers';
import type { EngineOptions, EnginePack } from '../../engine.ts';
import { openOnFirst, type PlacedSession } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { type captionPrompts, Florence, type objectPrompts } from './captioners/florence.ts';
import { ImageToText } from './captioners/image-to-text.ts';
import { DetrDetector, sigmoidFamilies } from './detectors/detr.ts';
import { YoloDetector } from './detectors/yolo.ts';
import { ZeroShotScenes } from './detectors/zero-shot.ts';
import { type ModelConfig, readConfigLabels, readModelConfig, readPreprocessing } from './hf-files.ts';
import type { Captioner, Detector, SceneModel, VisionModel } from './model.ts';
import { openVisionStarter } from './starter.ts';
import { starterFiles } from './starter-config.ts';

export const families = ['detr', 'yolo', 'clip', 'siglip', 'florence2', 'image-to-text'] as const;

/** One model of a pack; server/engine/images/README.md says what each key means. */
interface Part {
  family: (typeof families)[number];
  /** Below the pack's folder. */
  folder?: string;
  graph?: string;
  labels?: string[];
  /** Label to sentence, for zero-shot scenes. */
  prompts?: Record<string, string>;
  activation?: 'sigmoid' | 'softmax';
  threshold?: number;
  iou?: number;
  side?: number;
  caption_task?: keyof typeof captionPrompts;
  object_task?: keyof typeof objectPrompts;
}

type Opened = Pick<VisionModel, 'objects' | 'scenes' | 'captions'>;

/** Given to the openers of the families. */
interface Opener {
  folder: string;
  part: Part;
  config: ModelConfig;
  open(path: string): Promise<Session>;
  /** The first of these files that is there. */
  openFirst(paths: readonly string[]): Promise<Session>;
  tokenizer(): Promise<Tokenizer>;
}

/** @throws EngineError when the pack is not a vision pack */
export async function openVisionModel(pack: EnginePack, options: EngineOptions): Promise<VisionModel> {
  const block = pack.manifest.vision as { parts?: Part[] } | undefined;
  if (!block) return openVisionStarter(pack.folder, options);
  const parts = block.parts ?? [];
  const unknown = parts.find(({ family }) => !families.includes(family));
  if (parts.length === 0 || unknown) {
    throw starterFiles.refuse(`vision.parts must name families out of ${families.join(', ')}.`);
  }
  const placed: PlacedSession[] = [];
  try {
    let model: Opened = {};
    for (const part of parts)
      model = { ...model, ...(await openPart(pack.folder, part, { options, placed })) };
    const { provider, refused } = placed[0]!;
    return { ...model, provider, refused, close: () => closeAll(placed) };
  } catch (error) {
    await closeAll(placed);
    throw error;
  }
}

const closeAll = async (placed: readonly PlacedSession[]): Promise<void> => {
  await Promise.all(placed.map(({ session }) => session.close()));
};

async function openPart(
  packFolder: string,
  part: Part,
  { options, placed }: { options: EngineOptions; placed: PlacedSession[] },
): Promise<Opened> {
  const folder = starterFiles.path(packFolder, part.folder ?? '.');
  const open = async (path: string) => {
    const opened = await openOnFirst(options.providers, starterFiles.path(folder, path), {
      threads: options.threads,
      memoryPattern: false,
    });
    placed.push(opened);
    return opened.session;
  };
  return openers[part.family]({
    folder,
    part,
    config: await readModelConfig(folder),
    open,
    openFirst: async (paths) => {
      for (const path of paths) {
        if (await starterFiles.exists(folder, path)) return open(path);
      }
      throw starterFiles.refuse(`it has none of ${paths.join(', ')}.`);
    },
    tokenizer: async () => {
      const definition = await starterFiles.readJson(folder, 'tokenizer.json');
      if (!definition) throw starterFiles.refuse('it has no tokenizer.json.');
      return new Tokenizer(definition, (await starterFiles.readJson(folder, 'tokenizer_config.json')) ?? {});
    },
  });
}

/** Paths at which exporters put a file. */
const inOnnx = (name: string): string[] => [`onnx/${name}.onnx`, `${name}.onnx`];
const graphOf = ({ part, openFirst }: Opener): Promise<Session> =>
  openFirst(part.graph === undefined ? inOnnx('model') : [part.graph]);

const openers: Record<Part['family'], (opener: Opener) => Promise<Opened>> = {
  async detr(opener) {
    const { part, config, folder } = opener;
    const objects: Detector = new DetrDetector(await graphOf(opener), {
      preprocessing: await readPreprocessing(folder, part.side ?? 640),
      labels: part.labels ?? readConfigLabels(config),
      activation: part.activation ?? (sigmoidFamilies.test(config.model_type ?? '') ? 'sigmoid' : 'softmax'),
      threshold: part.threshold ?? 0.5,
    });
    return { objects };
  },

  async yolo(opener) {
    const { part, config } = opener;
    const session = await graphOf(opener);
    const side = session.inputs[0]?.dims[2];
    const objects: Detector = new YoloDetector(session, {
      side: part.side ?? (typeof side === 'number' ? side : 640),
      labels: part.labels ?? readConfigLabels(config),
      threshold: part.threshold ?? 0.25,
      iou: part.iou ?? 0.7,
    });
    return { objects };
  },

  clip: (opener) =>
    openZeroShot(opener, { activation: 'softmax', textTokens: 77, padToken: 49407, side: 224 }),
  siglip: (opener) => openZeroShot(opener, { activation: 'sigmoid', textTokens: 64, padToken: 1, side: 224 }),

  async florence2({ part, config, folder, openFirst, tokenizer }) {
    const text = config.text_config ?? config;
    const model = new Florence({
      vision: await openFirst(inOnnx('vision_encoder')),
      embed: await openFirst(inOnnx('embed_tokens')),
      encoder: await openFirst(inOnnx('encoder_model')),
      decoder: await openFirst([...inOnnx('decoder_model_merged'), ...inOnnx('decoder_model')]),
      tokenizer: await tokenizer(),
      preprocessing: await readPreprocessing(folder, 768),
      startToken: text.decoder_start_token_id ?? 2,
      endToken: text.eos_token_id ?? 2,
      forcedFirst: text.bos_token_id ?? 0,
      captionTask: part.caption_task ?? 'detailed_caption',
      objectTask: part.object_task ?? 'detection',
    });
    return { captions: model, objects: model };
  },

  async 'image-to-text'({ config, folder, openFirst, tokenizer }) {
    const text = config.decoder ?? config;
    const captions: Captioner = new ImageToText({
      encoder: await openFirst(inOnnx('encoder_model')),
      decoder: await openFirst([...inOnnx('decoder_model_merged'), ...inOnnx('decoder_model')]),
      tokenizer: await tokenizer(),
      preprocessing: await readPreprocessing(folder, 224),
      startToken: config.decoder_start_token_id ?? text.bos_token_id ?? 50256,
      endToken: config.eos_token_id ?? text.eos_token_id ?? 50256,
    });
    return { captions };
  },
};

/** Scenes that a pack without labels of its own is asked about. */
const usualScenes = [
  'screenshot',
  'document',
  'chart',
  'diagram',
  'map',
  'drawing',
  'photograph of people',
  'photograph of food',
  'photograph of an animal',
  'photograph of a vehicle',
  'photograph of a building',
  'photograph of a landscape',
  'photograph of a room',
];

async function openZeroShot(
  opener: Opener,
  usual: { activation: 'softmax' | 'sigmoid'; textTokens: number; padToken: number; side: number },
): Promise<Opened> {
  const { part, folder, tokenizer } = opener;
  const labels = part.labels ?? Object.keys(part.prompts ?? {});
  const scenes: SceneModel = new ZeroShotScenes(await graphOf(opener), await tokenizer(), {
    preprocessing: await readPreprocessing(folder, part.side ?? usual.side),
    labels: (labels.length > 0 ? labels : usualScenes).map((id) => ({
      id,
      prompt: part.prompts?.[id] ?? `a photo of ${id}`,
    })),
    activation: part.activation ?? usual.activation,
    textTokens: usual.textTokens,
    padToken: usual.padToken,
  });
  return { scenes };
}
