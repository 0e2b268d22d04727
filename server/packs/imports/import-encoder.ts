/**
 * A Hugging Face ONNX encoder folder becomes a `svc-embed-base` pack: its files copied as they lie, a manifest written. One that
 * classifies pairs of texts is a cross-encoder, which answers for the task `rerank`.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { externalFiles } from '../../engine/external-files.ts';
import type { Manifest } from '../manifest.ts';
import { importFolder, listFiles, readJson } from './import-folder.ts';
import { conventionOf } from './known-encoders.ts';

/** Files that the encoder engine reads (server/engine/embeddings/README.md); pictures, other formats and caches stay behind. */
const wanted =
  /(^|\/)(tokenizer\.json|tokenizer_config\.json|config\.json|modules\.json|special_tokens_map\.json|sentence_bert_config\.json|config_sentence_transformers\.json|[^/]*\.onnx|\d+_Dense\/model\.safetensors)$/;

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

export async function convertEncoder(
  source: string,
  staging: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const { paths, graph } = await encoderFiles(source);
  const config = await readJson(join(source, 'config.json'));
  const convention = conventionOf(String(config._name_or_path ?? ''), basename(source));
  const isPairs = [config.architectures]
    .flat()
    .some((name) => /ForSequenceClassification$/.test(String(name)));
  const kind = String(config.model_type ?? 'encoder').slice(0, 60);
  return importFolder(
    { source, staging, paths, signal },
    {
      name: String(config._name_or_path || basename(source)).slice(0, 200),
      roles: ['svc-embed-base'],
      engine: 'embeddings',
      description: `Imported from a Hugging Face ONNX folder (${kind}${isPairs ? ', cross-encoder' : ''}).`,
      ...(isPairs ? { rerank: { graph } } : { encoder: { graph, ...convention } }),
    },
  );
}
