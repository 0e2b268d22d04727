import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtobufWriter } from '../../server/engine/onnx/graph/protobuf.ts';
import { ApiError } from '../../server/errors.ts';
import { writeBundle } from '../../server/packs/bundle.ts';
import { importPack } from '../../server/packs/import.ts';
import { createPackRegistry } from '../../server/packs/registry.ts';

let root: string;
let packs: string;
const options = { signal: new AbortController().signal };
const convert = async () => expect.fail('nothing here is to be converted');
const accept = async () => {};
const admit = () => {};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-packs-'));
  packs = join(root, 'packs');
});
afterEach(() => rmSync(root, { recursive: true }));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A pack folder on disk; `contents` by path. */
function writePack(contents: Record<string, string>, changes: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(root, 'source-'));
  const files = Object.entries(contents).map(([path, text]) => ({
    path,
    size_bytes: Buffer.byteLength(text),
    sha256: sha256(text),
  }));
  const manifest = {
    id: 'tiny',
    version: '1.0',
    name: 'Tiny',
    publisher: 'Tests',
    roles: ['svc-embed-base'],
    format: 'onnx',
    engine: 'embeddings',
    files,
    licence: 'Apache-2.0',
    languages: ['en'],
    status: 'imported',
    description: 'For tests.',
    ...changes,
  };
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

const whole = () => writePack({ 'onnx/model.onnx': 'graph', 'tokenizer.json': '{}' });
const refusal = (source: string, tryPack = accept) =>
  importPack(source, { packs, convert, tryPack, admit }, options).then(
    () => expect.fail('it was imported'),
    (error: ApiError) => error,
  );
const leftovers = () => (existsSync(packs) ? readdirSync(packs) : []);

describe('importPack', () => {
  it('takes in a folder with a manifest, phase by phase', async () => {
    const phases: string[] = [];
    const tried: string[] = [];
    const tryPack = async ({ folder }: { folder: string }) => void tried.push(folder);
    const pack = await importPack(
      whole(),
      { packs, convert, tryPack, admit, onPhase: (phase) => phases.push(phase) },
      options,
    );
    expect(pack).toMatchObject({ ref: 'tiny@1.0', removable: true, sizeBytes: 7 });
    expect(phases).toEqual(['copying', 'verifying', 'loading', 'done']);
    expect(tried[0]).toMatch(/\.partial$/);
    expect(leftovers()).toEqual(['tiny@1.0']);
    expect(readFileSync(join(pack.folder, 'onnx/model.onnx'), 'utf8')).toBe('graph');
  });

  it('tells whoever asked for it of its phases, and takes away what a killed import left', async () => {
    const [old, running] = ['0011.partial', '0022.partial'].map((name) => join(packs, name)) as [
      string,
      string,
    ];
    for (const folder of [old, running]) {
      mkdirSync(join(folder, 'onnx'), { recursive: true });
      writeFileSync(join(folder, 'onnx/model.data'), 'half');
      for (const path of ['', 'onnx']) utimesSync(join(folder, path), 0, 0);
    }
    utimesSync(join(old, 'onnx/model.data'), 0, 0);
    const phases: string[] = [];
    const onPhase = (phase: string) => phases.push(phase);
    await importPack(whole(), { packs, convert, tryPack: accept, admit }, { ...options, onPhase });
    expect(phases).toEqual(['copying', 'verifying', 'loading', 'done']);
    expect(leftovers()).toEqual(['0022.partial', 'tiny@1.0']);
  });

  it('leaves files behind that the manifest does not name', async () => {
    const source = whole();
    writeFileSync(join(source, 'notes.txt'), 'x');
    const pack = await importPack(source, { packs, convert, tryPack: accept, admit }, options);
    expect(readdirSync(pack.folder).sort()).toEqual(['manifest.json', 'onnx', 'tokenizer.json']);
  });

  it('that no engine can open is refused in one line, and leaves nothing', async () => {
    const failed = async () => {
      throw new ApiError('internal_error', 'The pack could not be opened.');
    };
    const { code, param, message } = await refusal(whole(), failed);
    expect([code, param]).toEqual(['invalid_value', 'path']);
    expect(message).toMatch(
      /was not imported: no engine can open it; the page Diagnostics tells where it failed\.$/,
    );
    expect(leftovers()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each(['manifest.json', 'signature.json'])(
    'reads no device in the place of %s',
    async (name) => {
      const source = whole();
      rmSync(join(source, name), { force: true });
      symlinkSync('/dev/zero', join(source, name));
      expect((await refusal(source)).message).toContain(`${name} is no file`);
      expect(leftovers()).toEqual([]);
    },
  );

  it('refuses the same pack twice', async () => {
    const source = whole();
    await importPack(source, { packs, convert, tryPack: accept, admit }, options);
    expect(await refusal(source)).toMatchObject({ code: 'conflict', param: 'path' });
    expect(leftovers()).toEqual(['tiny@1.0']);
  });

  it.each([
    [
      'a changed file',
      (folder: string) => writeFileSync(join(folder, 'tokenizer.json'), '[]'),
      /tokenizer.json does not have the SHA-256/,
    ],
    [
      'a truncated file',
      (folder: string) => writeFileSync(join(folder, 'tokenizer.json'), ''),
      /tokenizer.json has 0 bytes/,
    ],
    [
      'a missing file',
      (folder: string) => rmSync(join(folder, 'tokenizer.json')),
      /tokenizer.json is missing/,
    ],
    ['broken JSON', (folder: string) => writeFileSync(join(folder, 'manifest.json'), '{'), /not valid JSON/],
    [
      'an empty manifest',
      (folder: string) => writeFileSync(join(folder, 'manifest.json'), '{}'),
      /manifest.json/,
    ],
  ])('refuses %s and leaves nothing behind', async (_name, damage, message) => {
    const source = whole();
    damage(source);
    const error = await refusal(source);
    expect(error).toMatchObject({ code: 'invalid_value', param: 'path' });
    expect(error.message).toMatch(message);
    expect(leftovers()).toEqual([]);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', 'a\\b', 'c:/x', 'a//b', '.'])(
    'refuses the path %s',
    async (path) => {
      const source = writePack({}, { files: [{ path, size_bytes: 0, sha256: sha256('') }] });
      expect((await refusal(source)).message).toMatch(/leaves the pack/);
    },
  );

  it('refuses a link in the place of a file', async () => {
    const source = whole();
    rmSync(join(source, 'tokenizer.json'));
    symlinkSync('/etc/hostname', join(source, 'tokenizer.json'));
    expect((await refusal(source)).message).toMatch(/tokenizer.json/);
    expect(leftovers()).toEqual([]);
  });

  it('leaves nothing behind when the pack does not load', async () => {
    const tryPack = async () => {
      throw new ApiError('invalid_value', 'every text gets the same vector');
    };
    expect((await refusal(whole(), tryPack)).message).toMatch(/same vector/);
    expect(leftovers()).toEqual([]);
  });

  it('names what is no pack at all', async () => {
    expect((await refusal(join(root, 'nothing'))).message).toMatch(/nothing at this path/);
    writeFileSync(join(root, 'model.bin'), 'x');
    expect((await refusal(join(root, 'model.bin'))).message).toMatch(/only .lokalpack/);
    expect((await refusal(mkdtempSync(join(root, 'empty-')))).message).toMatch(/it is no pack/);
  });

  it('writes a manifest for a Hugging Face ONNX encoder folder', async () => {
    const source = mkdtempSync(join(root, 'My Encoder-'));
    mkdirSync(join(source, 'onnx'));
    for (const path of ['tokenizer.json', 'config.json'])
      writeFileSync(join(source, path), '{"model_type":"bert"}');
    for (const path of ['onnx/model.onnx', 'onnx/model_quantized.onnx', 'README.md'])
      writeFileSync(join(source, path), 'x');
    const pack = await importPack(source, { packs, convert, tryPack: accept, admit }, options);
    expect(pack.manifest).toMatchObject({
      engine: 'embeddings',
      roles: ['svc-embed-base'],
      status: 'imported',
    });
    expect(pack.manifest.files.map(({ path }) => path)).toEqual([
      'config.json',
      'onnx/model.onnx',
      'tokenizer.json',
    ]);
    expect(pack.manifest.id).toMatch(/^my-encoder-/);
  });

  describe('weights beside the graph', () => {
    /** A graph with an initializer in one file and a constant of a node in another, as some exports write them. */
    function split(names: [initializer: string, constant: string]): Uint8Array {
      const tensor = (name: string) =>
        new ProtobufWriter()
          .text(8, 'w')
          .message(13, new ProtobufWriter().text(1, 'location').text(2, name))
          .message(13, new ProtobufWriter().text(1, 'offset').text(2, '0'));
      const node = new ProtobufWriter()
        .text(4, 'Constant')
        .message(5, new ProtobufWriter().message(5, tensor(names[1])));
      const graph = new ProtobufWriter().message(1, node).message(5, tensor(names[0]));
      return new ProtobufWriter().message(7, graph).finish();
    }
    function encoder(names: [string, string], present: string[]): string {
      const source = mkdtempSync(join(root, 'split-'));
      writeFileSync(join(source, 'tokenizer.json'), '{}');
      writeFileSync(join(source, 'config.json'), '{"model_type":"xlm-roberta"}');
      writeFileSync(join(source, 'model.onnx'), split(names));
      for (const name of present) writeFileSync(join(source, name), 'weights');
      return source;
    }

    it('comes along by the names in the graph, and nothing else does', async () => {
      const names: [string, string] = ['model.onnx_data', 'Constant_7_attr__value'];
      const source = encoder(names, [...names, 'old.data']);
      const pack = await importPack(source, { packs, convert, tryPack: accept, admit }, options);
      expect(pack.manifest.files.map(({ path }) => path).toSorted()).toEqual(
        [
          'Constant_7_attr__value',
          'config.json',
          'model.onnx',
          'model.onnx_data',
          'tokenizer.json',
        ].toSorted(),
      );
    });

    it.each([
      ['missing', ['a.bin', 'b.bin'], ['a.bin'], /b\.bin is missing/],
      ['elsewhere', ['../a.bin', 'b.bin'], ['b.bin'], /outside its folder/],
    ] as const)('is refused where it is %s', async (_, names, present, message) => {
      const refused = await refusal(encoder([...names], [...present]));
      expect(refused.message).toMatch(message);
    });
  });
});

describe('bundles', () => {
  const bundle = () => join(root, 'tiny.lokalpack');

  it('carry a pack whole, as a zip that others read', async () => {
    await writeBundle(whole(), bundle());
    const entries = unzipSync(readFileSync(bundle()));
    expect(Object.keys(entries)).toEqual(['manifest.json', 'onnx/model.onnx', 'tokenizer.json']);
    expect(Buffer.from(entries['onnx/model.onnx']!).toString()).toBe('graph');
    const pack = await importPack(bundle(), { packs, convert, tryPack: accept, admit }, options);
    expect(pack.ref).toBe('tiny@1.0');
  });

  it('are refused at every length they may be cut to', async () => {
    await writeBundle(whole(), bundle());
    const bytes = readFileSync(bundle());
    const directoryAt = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    for (let length = 0; length <= directoryAt; length += 7) {
      writeFileSync(bundle(), bytes.subarray(0, length));
      expect((await refusal(bundle())).code).toBe('invalid_value');
    }
    expect(leftovers()).toEqual([]);
  });

  it('are refused when compressed or when they hold what the manifest does not name', async () => {
    const manifest = readFileSync(join(whole(), 'manifest.json'));
    writeFileSync(
      bundle(),
      zipSync({ 'manifest.json': manifest, bomb: new Uint8Array(1_000_000) }, { level: 9 }),
    );
    expect((await refusal(bundle())).message).toMatch(/compressed/);
    writeFileSync(
      bundle(),
      zipSync({ 'manifest.json': manifest, '../../evil': new Uint8Array(3) }, { level: 0 }),
    );
    expect((await refusal(bundle())).message).toMatch(/does not name/);
    writeFileSync(bundle(), 'MZ not a zip at all, whatever its name says');
    expect((await refusal(bundle())).message).toMatch(/not a Lokal bundle/);
    expect(leftovers()).toEqual([]);
  });
});

describe('createPackRegistry', () => {
  it('binds a starter by default, keeps a choice, and reports folders that are no packs', async () => {
    const starters = join(root, 'starters');
    mkdirSync(starters);
    mkdirSync(join(starters, 'broken'));
    const starter = writePack({}, { id: 'starter', status: 'starter' });
    mkdirSync(join(starters, 'starter'));
    writeFileSync(join(starters, 'starter/manifest.json'), readFileSync(join(starter, 'manifest.json')));
    const chosen = new Map<string, string | null>();
    const bindings = {
      get: (role: string) => chosen.get(role),
      set: (role: string, ref: string | null) => void chosen.set(role, ref),
      forget: (role: string) => void chosen.delete(role),
    };
    const registry = createPackRegistry({ starters, imported: packs }, bindings);
    expect(registry.bound('svc-embed-base')?.ref).toBe('starter@1.0');
    expect(registry.bound('svc-guard-max')).toBeNull();
    expect(registry.problems()).toEqual([expect.stringMatching(/^broken: /)]);
    await importPack(whole(), { packs, convert, tryPack: accept, admit }, options);
    registry.refresh();
    registry.bind('svc-embed-base', 'tiny');
    expect(registry.bound('svc-embed-base')?.ref).toBe('tiny@1.0');
    expect(() => registry.bind('svc-guard-max', 'tiny')).toThrow(/does not fill/);
    expect(() => registry.bind('svc-embed-base', 'absent')).toThrow(/no pack/);
    expect(() => registry.bind('svc-embed-base', 'tiny', 'objects')).toThrow(/no task objects/);
    expect(registry.boundTasks('svc-embed-base')).toEqual({});
    registry.bind('svc-embed-base', null);
    expect(registry.bound('svc-embed-base')).toBeNull();
  });
});
