import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine } from '../../server/engine/documents/engine.ts';
import { OnnxTextModels } from '../../server/engine/vision/ocr/models/onnx-models.ts';
import { packAssets } from '../../server/engine/vision/ocr/models/pack-assets.ts';
import { importPack } from '../../server/packs/import.ts';
import type { Pack } from '../../server/packs/registry.ts';
import {
  detectorSettings,
  readerSettings,
  tinyDetector,
  tinyReader,
} from '../support/documents/tiny-recognizer.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-recognizer-import-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function writeFolder(files: Record<string, Uint8Array | string>): string {
  const folder = join(root, 'PP-OCR tiny');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const starter = {
  folder: fileURLToPath(new URL('../../models/packs/parse-starter', import.meta.url)),
  manifest: { files: [] },
};
const asEngine = (pack: Pack) => ({
  ref: pack.ref,
  folder: pack.folder,
  manifest: pack.manifest,
  starter,
});

/** As the supervisor does it, without the process. */
async function tryPack(pack: Pack): Promise<void> {
  const engine = await openEngine(asEngine(pack), { threads: 1, providers: ['cpu'] });
  try {
    await engine.check();
  } finally {
    await engine.close();
  }
}

const convert = async () => expect.fail('nothing here is to be converted');
const run = (source: string) =>
  importPack(
    source,
    { packs: join(root, 'packs'), tryPack, convert, admit: () => {} },
    { signal: new AbortController().signal },
  );

/** What a digit or a word of YAML would become if it were not read as text. */
const dictionary = ['0', 'no', '1.0', '好'];
const reader = (reading: number, classes = dictionary.length + 2) => ({
  'rec/inference.onnx': tinyReader(classes, reading),
  'rec/inference.yml': readerSettings(dictionary),
});

describe('PaddleOCR exports', () => {
  it('reads an invoice as the starter does, whose words it has', async () => {
    const pack = await run(
      writeFolder({
        ...reader(2),
        'det/inference.onnx': tinyDetector(),
        'det/inference.yml': detectorSettings,
      }),
    );
    const engine = await openEngine(asEngine(pack), { threads: 1, providers: ['cpu'] });
    try {
      const bytes = readFileSync(new URL('../../renderer/public/samples/invoice.pdf', import.meta.url));
      const params = { bytes, template: null, pages: null, outputFormat: 'json' as const };
      const { signal } = new AbortController();
      for await (const item of engine.methods.parse(params, { signal }))
        if (item.kind === 'result')
          expect(item.result).toMatchObject({
            type: 'invoice',
            fields: { invoice_number: { value: 'KAU-2026-0417' }, total: { value: 5065.2 } },
          });
      expect.assertions(1);
    } finally {
      await engine.close();
    }
  });

  it('a detector and a recognizer become a documents pack that reads by its own dictionary', async () => {
    const source = writeFolder({
      'det/inference.onnx': tinyDetector(),
      'det/inference.yml': detectorSettings,
      ...reader(2),
      'rec/README.md': 'left behind',
    });
    const pack = await run(source);
    expect(pack.manifest).toMatchObject({
      roles: ['svc-parse-pro'],
      engine: 'documents',
      name: 'tiny_det + tiny_rec',
    });
    expect(pack.manifest.files.map(({ path }) => path).sort()).toEqual([
      'det/inference.onnx',
      'det/inference.yml',
      'rec/inference.onnx',
      'rec/inference.yml',
    ]);
    const models = await OnnxTextModels.open(await packAssets(asEngine(pack)), 1);
    expect(models.characters).toEqual(['', ...dictionary, ' ']);
    const crop = { data: new Float32Array(3 * 48 * 64), count: 1, height: 48, width: 64 };
    const readings = await models.read(crop);
    expect(readings.timesteps).toBe(8);
    expect(models.characters[readings.classes[0]!]).toBe('no');
    expect(readings.scores[0]).toBeGreaterThan(0.9);
    const map = await models.findText({
      data: new Float32Array(3 * 32 * 32).fill(-1),
      count: 1,
      height: 32,
      width: 32,
    });
    expect(map.every((value) => value > 0.9)).toBe(true);
    await models.close();
  });

  it('a recognizer alone is completed by the detector that ships', async () => {
    const pack = await run(writeFolder(reader(1)));
    expect(pack.manifest).toMatchObject({ recognition: { recognizer: 'rec/inference.onnx' } });
  });

  it('a dictionary of another length is refused, and nothing stays', async () => {
    await expect(run(writeFolder(reader(1, 9)))).rejects.toThrow(
      /9 classes and its dictionary 6|was not imported/,
    );
  });
});
