/** A whole source of each kind that is imported, and how one is damaged and written. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { writeBundle } from '../../../server/packs/bundle.ts';
import { ggufMetadata, ggufTensors, writeGguf } from '../../support/chat/gguf-writer.ts';
import { tinyConfigs, tinyTensors, writeTinyModel } from '../../support/chat/tiny-decoder.ts';
import { tinyTokenizer, tinyVocabulary } from '../../support/chat/tiny-pack.ts';
import { writeEmbeddingPack } from '../../support/onnx/embedding-pack.ts';
import { badNames, damageBytes, damageFiles, type Files, link, type Random } from './mutations.ts';

export const kinds = ['gguf', 'safetensors', 'onnx', 'lokalpack', 'rules'] as const;
export type Kind = (typeof kinds)[number];

/** Writes one source below `folder`; damaged unless `next` is null. @returns its path */
export type WriteSource = (folder: string, next: Random | null) => string;

export async function sourceOf(kind: Kind, root: string): Promise<WriteSource> {
  const make = { gguf: gguf, safetensors, onnx, lokalpack, rules }[kind];
  const whole = mkdtempSync(join(root, 'whole-'));
  return make(whole);
}

const config = { ...tinyConfigs.llama!, vocab_size: tinyVocabulary };

interface TinyModel {
  vocab: Record<string, number>;
  merges: string[][];
}

const { added_tokens: added, model } = tinyTokenizer() as {
  added_tokens: { content: string }[];
  model: TinyModel;
};
const tinyPieces = (): string[] => [...Object.keys(model.vocab), ...added.map(({ content }) => content)];
const tinyMerges = (): string[] => model.merges.map((pair) => pair.join(' '));

async function gguf(whole: string): Promise<WriteSource> {
  const metadata = {
    ...ggufMetadata(config),
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.tokens': tinyPieces(),
    'tokenizer.ggml.merges': tinyMerges(),
    'tokenizer.ggml.eos_token_id': tinyVocabulary - 1,
  };
  const tensors = ggufTensors(config, tinyTensors(config));
  const path = join(whole, 'tiny.gguf');
  writeGguf(path, metadata, tensors);
  const bytes = readFileSync(path);
  return (folder, next) => {
    const target = join(folder, 'tiny.gguf');
    if (!next) writeFileSync(target, bytes);
    else if (next() < 0.6) writeFileSync(target, damageBytes(bytes, next));
    else {
      const keys = Object.keys(metadata);
      const key = keys[Math.floor(next() * keys.length)]!;
      const given: Record<string, (typeof metadata)[keyof typeof metadata]> = { ...metadata };
      if (next() < 0.3) delete given[key];
      else if (next() < 0.5) given[key] = Array(Math.floor(next() * 100)).fill(next() < 0.5 ? 'x' : 7);
      else given[`${key}${badNames[Math.floor(next() * badNames.length)]}`] = given[key]!;
      const others = tensors.map((tensor) => ({ ...tensor, dims: [...tensor.dims] }));
      const tensor = others[Math.floor(next() * others.length)]!;
      const how = Math.floor(next() * 6);
      if (how === 0) tensor.type = Math.floor(next() * 40);
      if (how === 1) tensor.dims = tensor.dims.map((dim) => dim * Math.floor(next() * 2 ** 20));
      if (how === 2) tensor.name = others[0]!.name;
      if (how === 3) tensor.bytes = tensor.bytes.subarray(0, Math.floor(next() * tensor.bytes.length));
      if (how === 4) tensor.dims = [];
      if (how === 5) others.pop();
      try {
        writeGguf(target, given, others);
      } catch {
        writeFileSync(target, damageBytes(bytes, next));
      }
    }
    return target;
  };
}

const filesUnder = (folder: string): Files =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name))]),
  );

function writeFiles(folder: string, files: Files): string {
  const target = mkdtempSync(join(folder, 'model-'));
  for (const [name, file] of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    if (Buffer.isBuffer(file)) writeFileSync(join(target, name), file);
    else link(target, name, file.linkTo);
  }
  return target;
}

const damagedFolder =
  (files: Files): WriteSource =>
  (folder, next) =>
    writeFiles(folder, next ? damageFiles(files, next) : files);

async function safetensors(whole: string): Promise<WriteSource> {
  writeTinyModel(whole, config, tinyTensors(config));
  writeFileSync(join(whole, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  writeFileSync(
    join(whole, 'tokenizer_config.json'),
    JSON.stringify({ eos_token: '<|endoftext|>', tokenizer_class: 'GPT2Tokenizer' }),
  );
  return damagedFolder(filesUnder(whole));
}

async function onnx(whole: string): Promise<WriteSource> {
  await writeEmbeddingPack(whole);
  return damagedFolder(filesUnder(whole));
}

/** A pack's folder with its manifest, which may be damaged itself. */
async function lokalpack(whole: string): Promise<WriteSource> {
  const contents = new Map([
    ['onnx/model.onnx', Buffer.alloc(3_000, 7)],
    ['tokenizer.json', Buffer.from('{}')],
  ]);
  const files = [...contents].map(([path, bytes]) => ({
    path,
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const manifest = {
    ...{ id: 'tiny', version: '1.0', name: 'Tiny', publisher: 'Tests', roles: ['svc-embed-base'] },
    ...{ format: 'onnx', engine: 'embeddings', files, licence: 'Apache-2.0', languages: ['en'] },
    ...{ status: 'imported', description: 'For tests.' },
  };
  const packFiles: Files = new Map([...contents, ['manifest.json', Buffer.from(JSON.stringify(manifest))]]);
  const source = writeFiles(whole, packFiles);
  const bundle = join(whole, 'tiny.lokalpack');
  await writeBundle(source, bundle);
  const bytes = readFileSync(bundle);
  const asFolder = damagedFolder(packFiles);
  return (folder, next) => {
    const target = join(folder, 'tiny.lokalpack');
    if (!next) writeFileSync(target, bytes);
    else if (next() < 0.25) return asFolder(folder, next);
    else if (next() < 0.4) writeFileSync(target, renamed(bytes, next));
    else writeFileSync(target, damageBytes(bytes, next));
    return target;
  };
}

/** A name inside the archive becomes one of the same length that leads elsewhere, in the manifest as well. */
function renamed(bytes: Buffer, next: Random): Buffer {
  const names: [string, string][] = [
    ['onnx/model.onnx', '../../model.onx'],
    ['onnx/model.onnx', '/tmp/model.onnx'],
    ['onnx/model.onnx', 'tokenizer.json\u0000'],
    ['tokenizer.json', '../tokens.json'],
    ['tokenizer.json', 'manifest.json '],
    ['manifest.json', 'manifest.jsom'],
  ];
  const [from, to] = names[Math.floor(next() * names.length)]!;
  const everywhere = next() < 0.6;
  const text = bytes.toString('latin1');
  return Buffer.from(everywhere ? text.replaceAll(from, to) : text.replace(from, to), 'latin1');
}

const rule = `title: Suspicious shell
id: 11111111-1111-4111-8111-111111111111
status: test
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    Image|endswith: '\\\\powershell.exe'
    CommandLine|contains|all:
      - ' -enc '
      - 'hidden'
  filter:
    User|re: '^SYSTEM.*$'
  condition: selection and not filter
level: high
tags: [attack.execution, attack.t1059.001]
`;

async function rules(): Promise<WriteSource> {
  return (folder, next) => {
    const names = ['one.yml', 'two/three.yaml', 'four.yml'];
    const entries = names.map((name) => [name, strToU8(rule)] as [string, Uint8Array]);
    if (next) {
      const entry = entries[Math.floor(next() * entries.length)]!;
      const how = next();
      if (how < 0.3) entry[1] = damageBytes(Buffer.from(rule), next);
      else if (how < 0.6) entry[1] = strToU8(damageYaml(next));
      else if (how < 0.75) entry[0] = `${badNames[Math.floor(next() * badNames.length)]}.yml`;
    }
    const zip = Buffer.from(zipSync(Object.fromEntries(entries)));
    const target = join(folder, 'rules.zip');
    writeFileSync(target, next && next() < 0.5 ? damageBytes(zip, next) : zip);
    return target;
  };
}

/** A line is given twice, indented otherwise, dropped or made to say something else. */
function damageYaml(next: Random): string {
  const lines = rule.split('\n');
  const at = Math.floor(next() * lines.length);
  const odd = [
    'detection: &a [*a]',
    `  ${'['.repeat(5_000)}`,
    "    Image|re: '(a+)+$'",
    '    Image|base64offset|contains: x',
    `  condition: ${'('.repeat(2_000)}selection`,
    '  condition: 1 of them or all of selection*',
    '!!js/function "return 1"',
    `  selection: {${Array.from({ length: 2_000 }, (_, index) => `k${index}: v`).join(', ')}}`,
    '    User: null',
    "    User|cidr: '999.1.1.1/99'",
    '<<: *nothing',
  ];
  const how = next();
  if (how < 0.2) lines.splice(at, 1);
  else if (how < 0.4) lines.splice(at, 0, lines[at]!);
  else if (how < 0.5) lines[at] = `      ${lines[at]}`;
  else lines[at] = odd[Math.floor(next() * odd.length)]!;
  return lines.join('\n');
}

export const clear = (folder: string): void => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
};
