/** A Hugging Face ONNX encoder folder becomes a `svc-embed-base` pack: its files copied as they lie, a manifest written. */
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { externalFiles } from '../engine/external-files.ts';
import { conventionOf } from './known-encoders.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { hashFile } from './verify.ts';

/** Files that the encoder engine reads (server/engine/embeddings/README.md); pictures, other formats and caches stay behind. */
const wanted =
  /(^|\/)(tokenizer\.json|tokenizer_config\.json|config\.json|modules\.json|special_tokens_map\.json|sentence_bert_config\.json|config_sentence_transformers\.json|[^/]*\.onnx|\d+_Dense\/model\.safetensors)$/;
const deepest = 3;
/** Resident memory is the weights and as much again for arenas and activations, at least. */
const overheadMb = 150;

export async function isEncoderFolder(folder: string): Promise<boolean> {
  const files = await listFiles(folder).catch((): string[] => []);
  return files.includes('tokenizer.json') && files.some((path) => path.endsWith('.onnx'));
}

/** Files to take along: of several graphs one. */
export async function encoderFiles(source: string): Promise<{ paths: string[]; graph: string | undefined }> {
  const all = (await listFiles(source)).filter((path) => wanted.test(path));
  const graph =
    ['onnx/model.onnx', 'model.onnx'].find((path) => all.includes(path)) ??
    all.find((path) => path.endsWith('.onnx'));
  const kept = all.filter((path) => !path.endsWith('.onnx') || path === graph);
  return { paths: [...kept, ...(graph ? await weightFiles(source, graph) : [])], graph };
}

/** Files that the graph itself says its weights lie in. @throws Error for one that is missing or lies elsewhere */
async function weightFiles(source: string, graph: string): Promise<string[]> {
  const names = namesIn(await readFile(join(source, graph)));
  const paths = names.map((name) => posix.join(posix.dirname(graph), name));
  for (const [at, path] of paths.entries()) {
    if (names[at] !== posix.basename(path)) throw new Error(`the graph names weights outside its folder`);
    if (!(await stat(join(source, path)).catch(() => null))?.isFile())
      throw new Error(`the weights’ file ${path} is missing`);
  }
  return paths;
}

/** None where the graph cannot be read: opening it says why. */
function namesIn(graph: Uint8Array): string[] {
  try {
    return externalFiles(graph);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

export const encoderMemoryMb = (sizeBytes: number): number =>
  Math.ceil((sizeBytes / 1_048_576) * 1.5 + overheadMb);

export async function convertEncoder(
  source: string,
  staging: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const { paths, graph } = await encoderFiles(source);
  const files: Manifest['files'] = [];
  for (const path of paths) {
    signal.throwIfAborted();
    const target = join(staging, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(source, path), target);
    files.push({ path, size_bytes: (await stat(target)).size, sha256: await hashFile(target) });
  }
  const config = await readJson(join(source, 'config.json'));
  const convention = conventionOf(String(config._name_or_path ?? ''), basename(source));
  const manifest = { ...draftManifest(source, files, config), encoder: { graph, ...convention } };
  const text = JSON.stringify(manifest, null, 2);
  await writeFile(join(staging, 'manifest.json'), `${text}\n`);
  return parseManifest(text);
}

function draftManifest(source: string, files: Manifest['files'], config: Record<string, unknown>): Manifest {
  const name = String(config._name_or_path || basename(source)).slice(0, 200);
  const sizeBytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
  return {
    id: toId(basename(source)),
    version: '1',
    name,
    publisher: 'imported',
    roles: ['svc-embed-base'],
    format: 'onnx',
    engine: 'embeddings',
    files,
    licence: 'as stated by the model’s publisher',
    languages: [],
    status: 'imported',
    memory_mb: encoderMemoryMb(sizeBytes),
    description: `Imported from a Hugging Face ONNX folder (${String(config.model_type ?? 'encoder').slice(0, 60)}).`,
  };
}

export const toId = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64) || 'encoder';

export async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error('config.json is not valid JSON');
  }
}

/** Plain files below `folder`, as relative paths with `/`; links are not followed. */
export async function listFiles(folder: string, below = '', depth = 0): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && depth < deepest)
      found.push(...(await listFiles(folder, path, depth + 1)));
  }
  return found.sort();
}
