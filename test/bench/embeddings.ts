/** Texts per second of our encoder and of @huggingface/transformers on the same graph, and how far vectors differ. */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, type FeatureExtractionPipeline, pipeline } from '@huggingface/transformers';
import { openTextEncoder } from '../../server/engine/embeddings/encoder/text-encoder.ts';
import { bertBase, tinyBert } from '../support/onnx/bert-graph.ts';
import { writeEmbeddingPack } from '../support/onnx/embedding-pack.ts';
import { randomNumbers } from '../support/onnx/random.ts';
import { madeUpWords } from '../support/onnx/word-piece.ts';
import { alternate, progress, rounded, timeMs } from './measure.ts';
import type { BenchOptions } from './run.ts';

const packName = 'encoder';

/** Texts of 2 to `longest` words, short ones more often (their logarithm is uniform), as requests are. */
function mixedTexts(count: number, longest: number): string[] {
  const words = madeUpWords(400);
  const random = randomNumbers(7);
  return Array.from({ length: count }, () => {
    const length = Math.round(2 * (longest / 2) ** random());
    return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
  });
}

async function openPeer(folder: string, threads: number): Promise<FeatureExtractionPipeline> {
  env.allowRemoteModels = false;
  env.localModelPath = folder;
  return pipeline('feature-extraction', packName, {
    dtype: 'fp32',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  });
}

/** Vectors of all texts, given to the peer so many at a time. */
async function peerVectors(
  peer: FeatureExtractionPipeline,
  texts: string[],
  size: number,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += size) {
    const chunk = texts.slice(from, from + size);
    const output = await peer(chunk, { pooling: 'mean', normalize: true });
    const width = output.dims[1]!;
    const data = output.data as Float32Array;
    for (let row = 0; row < chunk.length; row++) vectors.push(data.slice(row * width, (row + 1) * width));
    output.dispose();
  }
  return vectors;
}

/** The peer pads a batch to its longest text, so its best batch is not the largest: it gets the size that suits it. */
async function bestPeerBatch(peer: FeatureExtractionPipeline, texts: string[]): Promise<number> {
  const sample = texts.slice(0, Math.max(8, texts.length / 4));
  const sizes = [1, 8, 32];
  const times: number[] = [];
  for (const size of sizes) {
    times.push(await timeMs(() => peerVectors(peer, sample, size)));
    progress(`peer in batches of ${size}: ${times.at(-1)!.toFixed(0)} ms for ${sample.length} texts`);
  }
  return sizes[times.indexOf(Math.min(...times))]!;
}

function lowestCosine(ours: Float32Array, peer: readonly Float32Array[]): number {
  const cosines = peer.map((vector, row) => {
    const offset = row * vector.length;
    return vector.reduce((sum, value, column) => sum + value * ours[offset + column]!, 0);
  });
  return Math.min(...cosines);
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const shape = quick ? tinyBert : bertBase;
  const texts = mixedTexts(quick ? 16 : 256, quick ? 12 : 120);
  const threads = cpus().length;
  const folder = await mkdtemp(join(tmpdir(), 'lokal-bench-'));
  try {
    progress('writing the encoder');
    const { folder: packFolder } = await writeEmbeddingPack(join(folder, packName), { shape });
    const manifest = { encoder: { dimensions: shape.hidden } };
    const encoder = await openTextEncoder(packFolder, manifest, { threads, providers: ['cpu'] });
    const peer = await openPeer(`${folder}/`, threads);
    const peerBatch = await bestPeerBatch(peer, texts);
    const { signal } = new AbortController();
    const ours = () => encoder.embed({ texts }, signal);
    const { oursMs, peerMs } = await alternate({
      ours,
      peer: () => peerVectors(peer, texts, peerBatch),
      runs: quick ? 1 : 5,
    });
    const { vectors, tokens } = await ours();
    const cosine = lowestCosine(vectors, await peerVectors(peer, texts, peerBatch));
    await encoder.close();
    await peer.dispose();
    return {
      ratio: rounded(peerMs / oursMs),
      min_cosine: Math.floor(cosine * 1e7) / 1e7,
      texts_per_s: {
        ours: rounded((texts.length / oursMs) * 1000),
        peer: rounded((texts.length / peerMs) * 1000),
      },
      peer_batch: peerBatch,
      texts: texts.length,
      tokens: tokens.reduce((sum, count) => sum + count, 0),
      threads,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
