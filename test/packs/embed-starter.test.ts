/** The shipped embedding pack through the engine that serves it. */
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../server/engine/embeddings/engine.ts';
import type { EmbedResult } from '../../server/engine/embeddings/types.ts';
import type { Engine } from '../../server/engine/engine.ts';
import { type Manifest, parseManifest } from '../../server/packs/manifest.ts';
import { verifyPack } from '../../server/packs/verify.ts';
import { gradedPairs, languages } from '../bench/text-quality/datasets.ts';
import { gramCosines } from '../bench/text-quality/floors.ts';
import { spearman } from '../bench/text-quality/measures.ts';

const folder = fileURLToPath(new URL('../../models/packs/embed-starter', import.meta.url));
const size = 1024;
let manifest: Manifest;
let engine: Engine<'embeddings'>;

type Embed = (
  params: { texts: string[]; task?: 'query' | 'document' },
  context: { signal: AbortSignal },
) => Promise<EmbedResult>;

async function embed(texts: string[], task?: 'query' | 'document'): Promise<Float32Array[]> {
  const call = engine.methods.embed as unknown as Embed;
  const { vectors } = await call({ texts, ...(task && { task }) }, { signal: new AbortController().signal });
  return texts.map((_, row) => vectors.slice(row * size, (row + 1) * size));
}

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0);

const similarity = async (left: string, right: string) => {
  const [a, b] = await embed([left, right]);
  return dot(a!, b!);
};

beforeAll(async () => {
  manifest = parseManifest(await readFile(`${folder}/manifest.json`, 'utf8'));
  const pack = { ref: 'embed-starter', folder, manifest: manifest as unknown as Record<string, unknown> };
  engine = await openEngine(pack, { threads: 1, providers: ['cpu'] });
});
afterAll(() => engine?.close());

describe('the files', () => {
  it('are what the manifest says', () => expect(verifyPack(folder, manifest)).resolves.toBeUndefined());

  it('stay within 40 MB, none over 20 MB', async () => {
    const sizes = await Promise.all(
      manifest.files.map(async ({ path }) => (await stat(`${folder}/${path}`)).size),
    );
    expect(Math.max(...sizes)).toBeLessThan(20_000_000);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(40_000_000);
  });
});

describe('the vectors', () => {
  it('have 1,024 numbers and length 1, also for texts without a known word', async () => {
    for (const vector of await embed([
      'Selamat pagi',
      '你好，世界',
      '...',
      '한국어',
      '🙂',
      'a'.repeat(500),
    ])) {
      expect(vector).toHaveLength(size);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it('do not depend on the company', async () => {
    const texts = ['Invoice', 'Sila bayar sebelum akhir bulan ini, terima kasih.', '请在本月底之前付款。'];
    const together = await embed(texts);
    for (const [row, text] of texts.entries()) {
      expect(dot(together[row]!, (await embed([text]))[0]!)).toBeGreaterThan(0.99999);
    }
  });

  it.each([
    [
      'The minister resigned on Monday.',
      'Menteri itu meletak jawatan pada hari Isnin.',
      'The cake needs three eggs.',
    ],
    ['The minister resigned on Monday.', '部长星期一辞职了。', '这个蛋糕需要三个鸡蛋。'],
    ['Harga minyak naik tahun ini.', '今年油价上涨。', '猫在沙发上睡觉。'],
    ['我們在學校學習', '我们在学校学习', '我们在海里游泳'],
    ['penyelidikan', 'menyelidik', 'permakanan'],
  ])('put %j nearer to %j than to %j', async (text, same, other) => {
    expect(await similarity(text, same)).toBeGreaterThan((await similarity(text, other)) + 0.15);
  });

  it('differ between a query and a document', async () => {
    const text = 'Which company makes the phone?';
    const [query] = await embed([text], 'query');
    const [document] = await embed([text], 'document');
    expect(dot(query!, document!)).toBeLessThan(0.9999);
    expect(dot(query!, document!)).toBeGreaterThan(0.5);
  });

  it('have a form of their own without a task, near that of a document', async () => {
    const [omitted] = await embed(['Bank Negara Malaysia']);
    const [document] = await embed(['Bank Negara Malaysia'], 'document');
    expect(dot(omitted!, document!)).toBeGreaterThan(0.85);
    expect(dot(omitted!, document!)).toBeLessThan(0.99);
  });

  it('of a query find the text with its words, among texts of like meaning', async () => {
    const texts = ['Encik Lim tinggal di Ipoh.', 'Encik Tan tinggal di Ipoh.', 'Encik Wong tinggal di Ipoh.'];
    const [query] = await embed(['Di mana Encik Wong tinggal?'], 'query');
    const scores = (await embed(texts, 'document')).map((vector) => dot(query!, vector));
    expect(scores.indexOf(Math.max(...scores))).toBe(2);
  });
});

describe('graded similarity', () => {
  it.each(languages)('%s follows the grades better than character n-grams do', async (language) => {
    const { left, right, grades } = gradedPairs(language);
    const [a, b] = [await embed(left), await embed(right)];
    const ours = spearman(
      a.map((vector, row) => dot(vector, b[row]!)),
      grades,
    );
    expect(ours).toBeGreaterThan(spearman(gramCosines(left, right), grades) + 0.04);
  });
});
