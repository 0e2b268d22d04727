/** Reads a chat pack: the manifest's `chat` block and its text files. Hostile input until checked. */

import type { CustomKernels } from '../engine.ts';
import { kernelVerdict } from '../onnx/kernels/support.ts';
import { cpuSignature } from '../onnx/providers/cpu-signature.ts';
import { type Json, packFiles } from '../pack-files.ts';
import { type DecoderIo, readDecoderIo } from './decoder-io.ts';

const { refuse, path: pathInPack, readText, readJson } = packFiles('chat');
export const refuseChatPack = refuse;

export interface ChatPack {
  graphPath: string;
  /** The graph without weights packed for one kind of processor, where there is one beside. */
  portablePath: string | null;
  /** Positions the model was made for and its rotary tables cover. */
  context: number;
  /** Tokens that end an answer. */
  eos: number[];
  bos: number | null;
  /** Source of the chat template; null: none. */
  template: string | null;
  tokenizer: Json;
  tokenizerConfig: Json;
  /** Sizes the person may set (limits.ts). */
  settings: Json;
  /** Names of the graph's inputs, where it is not of our own making. */
  io: DecoderIo | null;
  /** Files of a reading network beside the decoder (reader/README.md), where there is one. */
  reader: ReaderFiles | null;
}

export interface ReaderFiles {
  folder: string;
  graphPath: string;
  wordsPath: string;
  settings: Json;
}

/**
 * @param customKernels packs made for the runtime's kernels are taken as such
 * @throws EngineError internal_error that names the part of the pack that is missing or wrong
 */
export async function readChatPack(
  folder: string,
  manifest: Json,
  customKernels: CustomKernels = true,
): Promise<ChatPack> {
  const chat = manifest.chat;
  if (typeof chat !== 'object' || chat === null) throw refuseChatPack('its manifest has no chat block.');
  const block = chat as Json;
  const tokenizer = await readJson(folder, 'tokenizer.json');
  if (!tokenizer) throw refuseChatPack('it has no tokenizer.json.');
  const tokenizerConfig = (await readJson(folder, 'tokenizer_config.json')) ?? {};
  return {
    graphPath: pathInPack(folder, await graphOf(block, customKernels)),
    portablePath: typeof block.portable_graph === 'string' ? pathInPack(folder, block.portable_graph) : null,
    context: wholeNumber(block.context, 'context'),
    eos: Array.isArray(block.eos) ? block.eos.map((id) => wholeNumber(id, 'eos')) : [],
    bos: block.bos === null || block.bos === undefined ? null : wholeNumber(block.bos, 'bos'),
    template: await readTemplate(folder, block, tokenizerConfig),
    tokenizer,
    tokenizerConfig,
    settings: settingsOf(block),
    io: pastOf(block),
    reader: await readerOf(folder, block.reader),
  };
}

async function readerOf(folder: string, block: unknown): Promise<ReaderFiles | null> {
  if (block === undefined || block === null) return null;
  const { graph, settings, words } = block as Json;
  const file = typeof settings === 'string' ? await readJson(folder, settings) : undefined;
  if (typeof graph !== 'string' || typeof words !== 'string' || !file)
    throw refuseChatPack('chat.reader of its manifest does not name its files.');
  return {
    folder,
    graphPath: pathInPack(folder, graph),
    wordsPath: pathInPack(folder, words),
    settings: file,
  };
}

function pastOf(block: Json): DecoderIo | null {
  try {
    return readDecoderIo(block.past);
  } catch (error) {
    throw refuseChatPack((error as Error).message);
  }
}

/** `small_cache` is what older manifests call `int8_kv_cache`. */
const settingsOf = ({ small_cache, ...block }: Json): Json =>
  small_cache === undefined ? block : { int8_kv_cache: small_cache, ...block };

/** Prepacked weights suit one kind of processor, and none where custom kernels take them as they are. */
async function graphOf(block: Json, customKernels: CustomKernels): Promise<string> {
  const packedFor = block.prepacked_for;
  const packed = typeof packedFor === 'string';
  const foreign =
    packed && (packedFor !== cpuSignature() || (await kernelVerdict(customKernels)).family !== null);
  if (foreign && typeof block.portable_graph === 'string') return block.portable_graph;
  return typeof block.graph === 'string' ? block.graph : 'model.onnx';
}

/** In order: the file the manifest names, chat_template.jinja, tokenizer_config.json (one, or several by name). */
async function readTemplate(folder: string, block: Json, config: Json): Promise<string | null> {
  const named = typeof block.template === 'string' ? block.template : 'chat_template.jinja';
  const file = await readText(folder, named);
  if (file !== undefined) return file;
  const inline = config.chat_template;
  if (typeof inline === 'string') return inline;
  if (!Array.isArray(inline)) return null;
  const byName = new Map(inline.map((entry: Json) => [entry?.name, entry?.template]));
  const chosen = byName.get('tool_use') ?? byName.get('default');
  return typeof chosen === 'string' ? chosen : null;
}

function wholeNumber(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw refuseChatPack(`chat.${name} of its manifest is not a whole number.`);
  return value as number;
}
