/** One request: its frames in small batches through the pack's models, then relations and captions from what was found. */
import type { Barcode } from '../vision/barcodes.ts';
import { type Attributes, measure, noAttributes, withMosaic } from './attributes.ts';
import type { WordsByLanguage } from './caption/caption-words.ts';
import { gatherFacts, groundedKind } from './caption/facts.ts';
import { claimable, doubtForeign } from './caption/grounding.ts';
import { writeCaption } from './caption/write.ts';
import { classifyScene, isDoubtful } from './classify-scene.ts';
import { findCodes, mergeCodes } from './codes.ts';
import { settleGraphics } from './graphics.ts';
import { openFrames } from './input/frames.ts';
import type { Frame, Picture } from './input/picture.ts';
import { batchFrames, maxObjects } from './limits.ts';
import type { VisionModel } from './models/model.ts';
import { relate } from './relations.ts';
import { settleScreenParts } from './screen/screen-parts.ts';
import type { PictureText, TextReader } from './text.ts';
import type { AnalyzeItem, FoundObject, FrameResult, ImageAnalyzeParams } from './types.ts';
import type { VideoReader } from './video/video-reader.ts';

export interface Analyst {
  model: VisionModel;
  videos: VideoReader;
  texts: TextReader;
  words: WordsByLanguage;
}

/** @throws EngineError for what is not read, damaged or too large */
export async function* analyze(
  params: ImageAnalyzeParams,
  { model, videos, texts, words }: Analyst,
  signal: AbortSignal,
): AsyncGenerator<AnalyzeItem> {
  const source = await openFrames(params.bytes, params.frames, { videos, signal });
  const warnings = new Set<string>();
  const results: FrameResult[] = [];
  for await (const batch of batches(source.frames, batchFrames)) {
    signal.throwIfAborted();
    results.push(...(await analyzeBatch(batch, { params, model, texts, words, warnings, signal })));
    const frames = batch[0]!.chosen;
    if (frames !== undefined) {
      const timestampsMs = batch.flatMap(({ timestampMs }) => timestampMs ?? []);
      yield { kind: 'progress', done: results.length, frames, timestampsMs };
    }
  }
  const counts = source.still ? { images: 1, frames: 0 } : { images: 0, frames: results.length };
  yield { kind: 'result', result: { results, warnings: [...warnings], ...counts } };
}

async function* batches<T>(items: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Work {
  params: ImageAnalyzeParams;
  model: VisionModel;
  texts: TextReader;
  words: WordsByLanguage;
  warnings: Set<string>;
  signal: AbortSignal;
}

/** The models' and measurements' answers for one frame. */
interface Findings {
  objects: FoundObject[];
  scene: Record<string, number>;
  attributes: Attributes;
  codes: Barcode[];
  text: PictureText;
  size: { width: number; height: number };
}

interface Wanted {
  objects: boolean;
  scene: boolean;
  /** Captions written by us. */
  facts: boolean;
}

async function analyzeBatch(batch: readonly Frame[], work: Work): Promise<FrameResult[]> {
  const { params, model, signal } = work;
  const asked = (task: ImageAnalyzeParams['tasks'][number]) => params.tasks.includes(task);
  const pictures = batch.map(({ picture }) => picture);
  // A pack's own captions need no facts; captions written by us need all there is.
  const facts = asked('caption') && !model.captions;
  const wanted: Wanted = {
    facts,
    objects: asked('objects') || asked('scene_graph') || facts,
    // Parts of screens and graphics hang on the kind of the picture.
    scene: asked('scene_graph') || facts || (model.settlesShapes === true && asked('objects')),
  };
  warnOfMissing(wanted, work);
  const objects = wanted.objects ? await model.objects?.detect(pictures, signal) : undefined;
  const scenes = wanted.scene ? await model.scenes?.score(pictures, signal) : undefined;
  const written = asked('caption')
    ? await model.captions?.caption(pictures, params.language, signal)
    : undefined;
  const results: FrameResult[] = [];
  for (const [index, { picture, timestampMs }] of batch.entries()) {
    const found = await findIn(picture, work, {
      ...wanted,
      found: objects?.[index],
      scored: scenes?.[index],
    });
    warnOfThings(found, work);
    results.push({
      ...(await toResult(found, work, written?.[index])),
      ...(timestampMs === undefined ? {} : { timestampMs }),
    });
  }
  return results;
}

function warnOfMissing(wanted: Wanted, { model, warnings }: Work): void {
  if (wanted.objects && !model.objects) warnings.add('No bound pack finds objects.');
  if (wanted.scene && !model.scenes)
    warnings.add('No bound pack knows scenes; only light, blur and shape were measured.');
  if (wanted.facts && !model.names)
    warnings.add('No bound pack writes captions; they are put together from what was found.');
}

/** A photograph is full of what the starter has no names for; a captioner beside it has. */
function warnOfThings({ scene }: Findings, { model, params, words, warnings }: Work): void {
  if (
    model.settlesShapes &&
    !model.captions &&
    groundedKind(scene, model.names, words)?.group === 'photograph'
  )
    warnings.add(words[params.language].photographs);
}

/** Codes, measurements and text beside what the models said of a picture; its kind weighed by all of them. */
async function findIn(
  picture: Picture,
  { model: { readsCodes, settlesShapes, names }, texts, words }: Work,
  said: Wanted & { found: FoundObject[] | undefined; scored: Record<string, number> | undefined },
): Promise<Findings> {
  const text = texts.of(picture);
  let attributes = said.scene ? await measure(picture) : noAttributes;
  const look = { aspect: picture.width / picture.height, ...(said.scene && { texture: attributes.texture }) };
  const scored = classifyScene(said.scored ?? {}, { ...look, objects: [], lines: [] }, names);
  const codes = said.objects && readsCodes ? await findCodes(picture) : [];
  const coded = mergeCodes(said.found ?? [], codes, picture);
  const settled = settlesShapes
    ? await settleScreenParts(await settleGraphics(coded, scored, picture), scored, {
        picture,
        lines: () => text.boxes(),
      })
    : coded;
  const objects = (settlesShapes && said.scene ? doubtForeign(settled, scored, attributes) : settled).slice(
    0,
    maxObjects,
  );
  const clues = { ...look, objects };
  let scene = classifyScene(said.scored ?? {}, { ...clues, lines: [] }, names);
  if (isDoubtful(scene, names)) {
    const lines = [...(await text.prominent()), ...(await text.short())].map((line) => line.text);
    scene = classifyScene(said.scored ?? {}, { ...clues, lines }, names);
  }
  // Nobody hears of squares in what is known to be no photograph.
  if (said.scene && (mayBePhotograph(scene) || groundedKind(scene, names, words)?.group === 'photograph'))
    attributes = await withMosaic(attributes, picture);
  return {
    objects,
    scene: { ...scene, ...(said.scene && measured(attributes, scene)) },
    attributes,
    codes,
    text,
    size: { width: picture.width, height: picture.height },
  };
}

const mayBePhotograph = ({ photograph }: Record<string, number>): boolean => (photograph ?? 1) >= 0.5;

/** Paper and screens are white and gray, and drawings have grids: of what is known to be no photograph these say nothing. */
function measured({ scene }: Attributes, kinds: Record<string, number>): Attributes['scene'] {
  if (mayBePhotograph(kinds)) return scene;
  return { ...scene, overexposed: 0, low_contrast: 0, colorless: 0, pixelated: 0 };
}

async function toResult(found: Findings, work: Work, written: string | undefined): Promise<FrameResult> {
  const { params, model } = work;
  const wants = (task: ImageAnalyzeParams['tasks'][number]) => params.tasks.includes(task);
  const { objects, scene } = found;
  const spoken = written === undefined || model.captions!.languages.includes(params.language);
  return {
    caption: wants('caption') ? (written ?? (await captionOf(found, work))) : '',
    // The caption's language; the service has it translated where that is not what was asked for.
    language: spoken ? params.language : model.captions!.languages[0]!,
    objects: wants('objects') || wants('scene_graph') ? objects : [],
    scene: wants('scene_graph') ? scene : {},
    ...(wants('scene_graph') ? { relations: relate(objects) } : {}),
  };
}

/** A caption from facts. */
async function captionOf(found: Findings, { params, words, model: { names } }: Work): Promise<string> {
  const { scene, attributes, text, size } = found;
  const kind = groundedKind(scene, names, words);
  const read = async (box: FoundObject['bbox']) => (await text.within(box)).map((line) => line.text);
  const seen = {
    kind,
    attributes,
    size,
    objects: await claimable(found.objects, kind, read),
    lines: await text.prominent(),
    axes: kind?.id === 'chart' ? await text.axes() : [],
    codes: found.codes.map((code) => code.text),
  };
  return writeCaption(gatherFacts(seen, names), params.language, words);
}
