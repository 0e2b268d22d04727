/** A Hugging Face ONNX folder of a vision model becomes a `svc-vision-pro` pack: its files copied as they lie, a manifest written. */
import { join } from 'node:path';
import type { Manifest } from '../manifest.ts';
import { importFolder, listFiles, readJson } from './import-folder.ts';

/** A family of server/engine/images/models/open.ts, and the graphs it needs: of several names one. */
interface Family {
  family: string;
  models: RegExp;
  graphs: string[][];
}

const decoder = ['decoder_model_merged', 'decoder_model'];
const known: Family[] = [
  {
    family: 'detr',
    models: /^(rt_detr(_v2)?|d_fine|rf_detr|detr|yolos|deformable_detr|conditional_detr)$/,
    graphs: [['model']],
  },
  { family: 'yolo', models: /^yolo_?(v?\d+|nas)/, graphs: [['model']] },
  { family: 'clip', models: /^clip$/, graphs: [['model']] },
  { family: 'siglip', models: /^siglip2?$/, graphs: [['model']] },
  {
    family: 'florence2',
    models: /^florence2$/,
    graphs: [['vision_encoder'], ['embed_tokens'], ['encoder_model'], decoder],
  },
  { family: 'image-to-text', models: /^vision-encoder-decoder$/, graphs: [['encoder_model'], decoder] },
];

const settings = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'];

async function familyOf(source: string): Promise<Family | undefined> {
  const config = await readJson(join(source, 'config.json'));
  return known.find(({ models }) => models.test(String(config.model_type ?? '')));
}

export const isVisionFolder = async (source: string): Promise<boolean> =>
  (await familyOf(source).catch(() => undefined)) !== undefined;

/** Settings and graphs, each graph with its external data. @throws Error naming the graph that is missing */
export async function visionFiles(source: string): Promise<string[]> {
  const family = await familyOf(source);
  const all = await listFiles(source);
  const graphs = (family?.graphs ?? []).flatMap((names) => {
    const places = names.flatMap((name) => [`onnx/${name}.onnx`, `${name}.onnx`]);
    const path = places.find((each) => all.includes(each));
    if (path === undefined) throw new Error(`it has no ${places[0]}`);
    return all.filter((each) => each === path || each.startsWith(`${path}_data`) || each === `${path}.data`);
  });
  return [...settings.filter((path) => all.includes(path)), ...graphs];
}

export async function convertVision(source: string, staging: string, signal: AbortSignal): Promise<Manifest> {
  const { family } = (await familyOf(source))!;
  return importFolder(
    { source, staging, paths: await visionFiles(source), signal },
    {
      roles: ['svc-vision-pro'],
      engine: 'images',
      description: `Imported from a Hugging Face ONNX folder (${family}).`,
      vision: { parts: [{ family }] },
    },
  );
}
