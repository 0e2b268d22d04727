/**
 * Quality of the vision starter through its engine: average precision at half overlap by label, and the share of pictures
 * whose kind is named right. Pictures: drawn here by code that shares nothing with the training generator (every other one
 * spoiled), pictures that real programs made, with their boxes (images/screens), pages of programs that nothing was tuned on
 * (images/screens-unseen), and where the shared data is there, real photographs and scanned receipts, for the kind alone.
 *
 * `floors`: one box round the whole picture for every label, and always the commonest kind.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openEngine } from '../../server/engine/images/engine.ts';
import type { FrameResult, ImageAnalyzeParams } from '../../server/engine/images/types.ts';
import { papers } from './images/papers.ts';
import { type Judged, precisions } from './images/precision.ts';
import { screens } from './images/screens.ts';
import { progress, rounded } from './measure.ts';

const pack = new URL('../../models/packs/vision-starter/', import.meta.url);
const data = new URL('../../../shared/data/', import.meta.url);
const real = new URL('images/screens/', import.meta.url);
const unseen = new URL('images/screens-unseen/', import.meta.url);

type Look = (bytes: Uint8Array) => Promise<FrameResult>;
interface Sample {
  kind: string;
  bytes: Uint8Array;
  truth: Judged['truth'];
}
interface Answer extends Judged {
  kind: string;
  said: string;
  scene: Record<string, number>;
}

const { scene } = JSON.parse(readFileSync(new URL('config.json', pack), 'utf8')) as {
  scene: { kinds: { id: string }[] };
};
const kinds = scene.kinds.map(({ id }) => id);
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What copying, scanning and sending do; boxes keep their places. */
const spoilers = [
  (png: Buffer) => sharp(png).jpeg({ quality: 90 }),
  (png: Buffer) => sharp(png).blur(1).jpeg({ quality: 35 }),
  (png: Buffer) => sharp(png).jpeg({ quality: 80 }),
  (png: Buffer) =>
    sharp(png).resize({ width: 640 }).modulate({ brightness: 0.85 }).grayscale().jpeg({ quality: 60 }),
];

async function* drawnSamples(each: number): AsyncGenerator<Sample> {
  for (const [index, [kind, draw]] of Object.entries({ ...papers, ...screens }).entries())
    for (let at = 0; at < each; at++) {
      const sheet = await draw(1000 + at * 97 + index);
      const truth = sheet.boxes.map(({ label, box: [x0, y0, x1, y1] }) => ({
        label,
        box: [x0 / sheet.width, y0 / sheet.height, x1 / sheet.width, y1 / sheet.height] as [
          number,
          number,
          number,
          number,
        ],
      }));
      const spoil = spoilers[at % spoilers.length]!;
      yield { kind, truth, bytes: await spoil(await sheet.canvas.encode('png')).toBuffer() };
    }
}

function* realSamples(folder: URL, step = 1): Generator<Sample> {
  const labelled = JSON.parse(readFileSync(new URL('labels.json', folder), 'utf8')) as Record<
    string,
    { kind: string; boxes: [string, number, number, number, number][] }
  >;
  for (const [file, { kind, boxes }] of Object.entries(labelled).filter((_, index) => index % step === 0))
    yield {
      kind,
      bytes: readFileSync(new URL(file, folder)),
      truth: boxes.map(([label, ...box]) => ({ label, box })),
    };
}

/** Pictures of one kind in a folder of the shared data. */
function* sharedSamples(folder: string, kind: string, most: number): Generator<Sample> {
  const url = new URL(`${folder}/`, data);
  if (!existsSync(url)) return;
  const files = (readdirSync(url, { recursive: true }) as string[]).filter((file) =>
    /\.(jpe?g|png)$/.test(file),
  );
  for (const file of files.sort().slice(0, most))
    yield { kind, truth: [], bytes: readFileSync(new URL(file, url)) };
}

async function answers(samples: AsyncIterable<Sample> | Iterable<Sample>, look: Look): Promise<Answer[]> {
  const all: Answer[] = [];
  for await (const { kind, bytes, truth } of samples) {
    const { objects, scene: scores } = await look(bytes);
    const said = kinds.reduce((best, id) => ((scores[id] ?? 0) > (scores[best] ?? 0) ? id : best));
    all.push({
      kind,
      said,
      scene: scores,
      truth,
      found: objects.map(({ label, confidence, bbox }) => ({ label, score: confidence, box: bbox })),
    });
  }
  return all;
}

const accuracy = (all: readonly Answer[]): number | null => share(all, ({ kind, said }) => kind === said);

/** What naming the commonest kind, and a box round everything, would score. */
function floors(all: readonly Answer[]): { scene_accuracy: number; map50: number } {
  const counts = new Map<string, number>();
  for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const whole = all.map(({ truth }) => ({
    truth,
    found: [...new Set(all.flatMap((one) => one.truth.map(({ label }) => label)))].map((label) => ({
      label,
      score: 1,
      box: [0, 0, 1, 1] as [number, number, number, number],
    })),
  }));
  return {
    scene_accuracy: rounded(Math.max(...counts.values()) / all.length),
    map50: rounded(mean(Object.values(precisions(whole)))),
  };
}

const share = (all: readonly Answer[], holds: (answer: Answer) => boolean): number | null =>
  all.length === 0 ? null : rounded(mean(all.map((answer) => (holds(answer) ? 1 : 0))));

function screenFigures(all: readonly Answer[]): object {
  const map50 = precisions(all);
  return {
    pictures: all.length,
    scene_accuracy: accuracy(all),
    map50: { mean: rounded(mean(Object.values(map50))), ...roundedAll(map50) },
    floor: floors(all),
  };
}

const roundedAll = (values: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, rounded(value)]));

/** Most confused pairs, for the reader of the model card. */
function confusions(all: readonly Answer[]): Record<string, number> {
  const pairs = new Map<string, number>();
  for (const { kind, said } of all)
    if (kind !== said) pairs.set(`${kind} as ${said}`, (pairs.get(`${kind} as ${said}`) ?? 0) + 1);
  return Object.fromEntries([...pairs].sort((a, b) => b[1] - a[1]).slice(0, 12));
}

export async function run({ quick }: { quick: boolean }): Promise<object> {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', pack), 'utf8'));
  const engine = await openEngine(
    { ref: `${manifest.id}@${manifest.version}`, folder: fileURLToPath(pack), manifest },
    { threads: 1, providers: ['cpu'] },
  );
  const signal = new AbortController().signal;
  const look: Look = async (bytes) => {
    const params: ImageAnalyzeParams = {
      bytes,
      tasks: ['objects', 'scene_graph'],
      language: 'en',
      frames: { maxFrames: 1, sampling: 'even' },
    };
    for await (const item of engine.methods.analyze(params, { signal }))
      if (item.kind === 'result') return item.result.results[0]!;
    throw new Error('The engine gave no result.');
  };
  try {
    const drawn = await answers(drawnSamples(quick ? 1 : 5), look);
    progress(`drawn pictures: kinds ${accuracy(drawn)}`);
    const screenshots = await answers(realSamples(real), look);
    progress(`screenshots of programs: kinds ${accuracy(screenshots)}`);
    const pages = await answers(realSamples(unseen, quick ? 5 : 1), look);
    progress(`unseen pages of programs: kinds ${accuracy(pages)}`);
    const photographs = await answers(sharedSamples('img-coco-train26', 'photograph', quick ? 3 : 26), look);
    const receipts = await answers(sharedSamples('doc-sroie-dev', 'receipt', quick ? 3 : 40), look);
    const map50 = precisions(drawn);
    const sceneAccuracy = accuracy(drawn) ?? 0;
    return {
      score: rounded((mean(Object.values(map50)) + sceneAccuracy) / 2),
      map50: { mean: rounded(mean(Object.values(map50))), ...roundedAll(map50) },
      scene_accuracy: sceneAccuracy,
      screenshots: screenFigures(screenshots),
      unseen_screens: screenFigures(pages),
      photographs: accuracy(photographs),
      scanned_receipts: accuracy(receipts),
      receipts_called_screens: share(receipts, ({ scene }) => (scene.screenshot ?? 0) >= 0.5),
      confusions: confusions([...drawn, ...screenshots, ...photographs, ...receipts]),
      floors: floors(drawn),
    };
  } finally {
    await engine.close();
  }
}
