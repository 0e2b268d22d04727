/** A Hugging Face ONNX folder of a vision model becomes a `svc-vision-pro` pack: its files copied as they lie, a manifest written. */
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { encoderMemoryMb, listFiles, readJson, toId } from './import-encoder.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { hashFile } from './verify.ts';

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
  const files: Manifest['files'] = [];
  for (const path of await visionFiles(source)) {
    signal.throwIfAborted();
    const target = join(staging, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(source, path), target);
    files.push({ path, size_bytes: (await stat(target)).size, sha256: await hashFile(target) });
  }
  const family = (await familyOf(source))!;
  const sizeBytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
  const manifest: Manifest & { vision: object } = {
    id: toId(basename(source)),
    version: '1',
    name: basename(source).slice(0, 200),
    publisher: 'imported',
    roles: ['svc-vision-pro'],
    format: 'onnx',
    engine: 'images',
    files,
    licence: 'as stated by the model’s publisher',
    languages: [],
    status: 'imported',
    memory_mb: encoderMemoryMb(sizeBytes),
    description: `Imported from a Hugging Face ONNX folder (${family.family}).`,
    vision: { parts: [{ family: family.family }] },
  };
  const text = JSON.stringify(manifest, null, 2);
  await writeFile(join(staging, 'manifest.json'), `${text}\n`);
  return parseManifest(text);
}
