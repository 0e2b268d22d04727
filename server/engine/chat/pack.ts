/** What a chat pack says of itself: the manifest's `chat` block and its text files. Hostile input until checked. */
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { EngineError } from '../engine.ts';
import { cpuSignature } from './cpu-signature.ts';

export type Json = Record<string, unknown>;

/** A pack that cannot serve: the text says what is wrong, never where the pack lies. */
export function refusePack(what: string): EngineError {
  return new EngineError('internal_error', `The chat pack cannot be used: ${what}`);
}

export interface ChatPack {
  graphPath: string;
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
}

export async function readPack(folder: string, manifest: Json): Promise<ChatPack> {
  const chat = manifest.chat;
  if (typeof chat !== 'object' || chat === null) throw refusePack('its manifest has no chat block.');
  const block = chat as Json;
  const tokenizer = await readJson(folder, 'tokenizer.json');
  if (!tokenizer) throw refusePack('it has no tokenizer.json.');
  const tokenizerConfig = (await readJson(folder, 'tokenizer_config.json')) ?? {};
  return {
    graphPath: pathInPack(folder, graphOf(block)),
    context: wholeNumber(block.context, 'context'),
    eos: Array.isArray(block.eos) ? block.eos.map((id) => wholeNumber(id, 'eos')) : [],
    bos: block.bos === null || block.bos === undefined ? null : wholeNumber(block.bos, 'bos'),
    template: await readTemplate(folder, block, tokenizerConfig),
    tokenizer,
    tokenizerConfig,
    settings: block,
  };
}

/** Prepacked weights suit one kind of processor; another takes the graph that is packed while it loads. */
function graphOf(block: Json): string {
  const packedFor = block.prepacked_for;
  const foreign = typeof packedFor === 'string' && packedFor !== cpuSignature();
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
    throw refusePack(`chat.${name} of its manifest is not a whole number.`);
  return value as number;
}

function pathInPack(folder: string, path: string): string {
  const clean = normalize(path);
  if (/^([/\\]|[A-Za-z]:|\.\.)/.test(clean)) throw refusePack(`${path} lies outside the pack.`);
  return join(folder, clean);
}

async function readText(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(pathInPack(folder, path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readJson(folder: string, path: string): Promise<Json | undefined> {
  const text = await readText(folder, path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw refusePack(`${path} is not JSON.`);
  }
}
