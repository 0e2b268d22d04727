/** Tiny chat packs: random weights behind a byte-level tokenizer, a few merges and ChatML. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { convertDecoder } from '../../../server/engine/model-import/convert.ts';
import { shapeFromConfig } from '../../../server/engine/model-import/sources/hf-config.ts';
import { openSafetensors } from '../../../server/engine/model-import/sources/safetensors-source.ts';
import type { Preset } from '../../../server/engine/model-import/types.ts';
import { type Config, type Tensors, tinyConfigs, tinyTensors, writeTinyModel } from './tiny-decoder.ts';

export const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const added = ['<|im_start|>', '<|im_end|>', '<|endoftext|>'];
const merges: [string, string][] = [
  ['t', 'h'],
  ['th', 'e'],
  ['Ġ', 'the'],
  ['i', 'n'],
];
/** 256 bytes, the merges, the added tokens and some padding. */
export const tinyVocabulary = 272;

/** GPT-2's alphabet, in the order of its vocabulary. */
function byteAlphabet(): string[] {
  const printable = [...Array(256).keys()].filter(
    (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174,
  );
  const others = [...Array(256).keys()].filter((byte) => !printable.includes(byte));
  return [
    ...printable.map((byte) => String.fromCharCode(byte)),
    ...others.map((_, at) => String.fromCharCode(256 + at)),
  ];
}

export function tinyTokenizer(): Record<string, unknown> {
  const pieces = [...byteAlphabet(), ...merges.map((pair) => pair.join(''))];
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true };
  return {
    version: '1.0',
    added_tokens: added.map((content, at) => ({ id: pieces.length + at, content, ...flags })),
    normalizer: null,
    pre_tokenizer: bytes,
    post_processor: null,
    decoder: bytes,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      merges,
    },
  };
}

export interface TinyPackOptions {
  /** Over the config of a tiny Llama. */
  config?: Config;
  preset?: Preset;
  /** Over the manifest's `chat` block. */
  chat?: Record<string, unknown>;
  seed?: number;
  template?: string | null;
}

export interface TinyPack extends EnginePack {
  config: Config;
  tensors: Tensors;
}

/** Writes a pack into a new folder below `root`. */
export async function writeTinyPack(root: string, options: TinyPackOptions = {}): Promise<TinyPack> {
  const folder = await mkdtemp(join(root, 'chat-'));
  const config: Config = { ...tinyConfigs.llama!, vocab_size: tinyVocabulary, ...options.config };
  const tensors = tinyTensors(config, options.seed ?? 1);
  const [source, target] = [join(folder, 'source'), join(folder, 'pack')];
  for (const path of [source, target]) await mkdir(path);
  writeTinyModel(source, config, tensors);
  const shape = shapeFromConfig(config);
  const weights = await openSafetensors(source, shape);
  const context = Number(config.max_position_embeddings);
  await convertDecoder({
    shape,
    source: weights,
    target,
    preset: options.preset ?? 'float32',
    context,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  await weights.close();
  const end = tinyTokenizer().added_tokens as { id: number; content: string }[];
  const chat = { graph: 'model.onnx', context, bos: null, eos: [end.at(-1)!.id], ...options.chat };
  await writeFile(join(target, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  await writeFile(
    join(target, 'tokenizer_config.json'),
    JSON.stringify({ eos_token: '<|endoftext|>', tokenizer_class: 'GPT2Tokenizer' }),
  );
  const template = options.template === undefined ? chatMl : options.template;
  if (template !== null) await writeFile(join(target, 'chat_template.jinja'), template);
  return { ref: 'tiny-chat@1', folder: target, manifest: { engine: 'chat', chat }, config, tensors };
}
