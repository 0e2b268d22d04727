/**
 * PaddleOCR's ONNX exports become a `svc-parse-pro` pack: a folder with inference.onnx and inference.yml, or a folder of
 * such folders, one for the detector and one for the recognizer. Either may be left out; what ships stands in.
 */
import { readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import type { Manifest } from '../manifest.ts';
import { importFolder, listFiles } from './import-folder.ts';

const settingsName = 'inference.yml';
const graphName = 'inference.onnx';
/** Post-processing of a PaddleOCR export, by which its task is told. */
const tasks: Record<string, 'detector' | 'recognizer'> = {
  DBPostProcess: 'detector',
  CTCLabelDecode: 'recognizer',
};
/** Reading documents as such. */
const baseMemoryMb = 600;

interface Export {
  task: 'detector' | 'recognizer';
  graph: string;
  settings: string;
  name: string;
}

async function readExport(source: string, settings: string): Promise<Export | undefined> {
  const text = await readFile(join(source, settings), 'utf8');
  const { PostProcess, Global } = load(text, { schema: FAILSAFE_SCHEMA }) as Record<
    string,
    Record<string, string>
  >;
  const task = tasks[PostProcess?.name ?? ''];
  const graph = posix.join(posix.dirname(settings), graphName);
  return task && { task, graph, settings, name: Global?.model_name ?? basename(source) };
}

/** Every export in the folder, one for each task. */
async function exportsIn(source: string): Promise<Export[]> {
  const all = await listFiles(source);
  const found: Export[] = [];
  for (const settings of all.filter((path) => posix.basename(path) === settingsName)) {
    if (!all.includes(posix.join(posix.dirname(settings), graphName))) continue;
    const one = await readExport(source, settings).catch(() => undefined);
    if (one && !found.some(({ task }) => task === one.task)) found.push(one);
  }
  return found;
}

export const isRecogniserFolder = async (source: string): Promise<boolean> =>
  (await exportsIn(source).catch(() => [])).length > 0;

/** Graphs and settings of the exports in the folder. */
export const recogniserFiles = async (source: string): Promise<string[]> => filesOf(await exportsIn(source));

const filesOf = (exports: Export[]): string[] => exports.flatMap(({ graph, settings }) => [graph, settings]);

export async function convertRecognizer(
  source: string,
  staging: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const exports = await exportsIn(source);
  const pathOf = (task: Export['task']) => exports.find((one) => one.task === task);
  const recognizer = pathOf('recognizer');
  const names = exports.map(({ name }) => name);
  return importFolder(
    { source, staging, paths: filesOf(exports), signal },
    {
      name: names.join(' + ').slice(0, 200),
      roles: ['svc-parse-pro'],
      engine: 'documents',
      baseMemoryMb,
      description: `Text recognition imported from PaddleOCR: ${names.join(', ')}.`.slice(0, 4000),
      recognition: {
        detector: pathOf('detector')?.graph,
        recognizer: recognizer?.graph,
        settings: recognizer?.settings,
      },
    },
  );
}
