/** One request: its frames in small batches through the pack's models, then relations and captions from what was found. */
import type { Barcode } from '../media/barcodes.ts';
import { type Attributes, measure } from './attributes.ts';
import { gatherEvidence } from './caption/evidence.ts';
import { writeCaption } from './caption/write.ts';
import { findCodes, mergeCodes } from './codes.ts';
import { type Frame, openFrames } from './input/frames.ts';
import { batchFrames, maxObjects } from './limits.ts';
import type { VisionModel } from './models/model.ts';
import { relate } from './relations.ts';
import type { TextReader } from './text.ts';
import type { AnalyzeParams, AnalyzeResult, FoundObject, FrameResult } from './types.ts';
import type { VideoReader } from './video/video-reader.ts';

export interface Analyst {
  model: VisionModel;
  videos: VideoReader;
  texts: TextReader;
}

export async function analyze(
  params: AnalyzeParams,
  { model, videos, texts }: Analyst,
  signal: AbortSignal,
): Promise<AnalyzeResult> {
  const source = await openFrames(params.bytes, params.frames, { videos, signal });
  const warnings = new Set<string>();
  const results: FrameResult[] = [];
  for await (const batch of batches(source.frames, batchFrames)) {
    signal.throwIfAborted();
    results.push(...(await analyzeBatch(batch, { params, model, texts, warnings, signal })));
  }
  return {
    results,
    warnings: [...warnings],
    images: source.still ? 1 : 0,
    frames: source.still ? 0 : results.length,
  };
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
  params: AnalyzeParams;
  model: VisionModel;
  texts: TextReader;
  warnings: Set<string>;
  signal: AbortSignal;
}

/** What the models and measurements say of one frame. */
interface Findings {
  objects: FoundObject[];
  scene: Record<string, number>;
  attributes: Attributes;
  codes: Barcode[];
  text: string | undefined;
}

async function analyzeBatch(batch: readonly Frame[], work: Work): Promise<FrameResult[]> {
  const { params, model, texts, warnings, signal } = work;
  const wants = (task: AnalyzeParams['tasks'][number]) => params.tasks.includes(task);
  const pictures = batch.map(({ picture }) => picture);
  // A pack's own captions need no evidence; captions written by us need all there is.
  const needsEvidence = wants('caption') && !model.captions;
  const needsObjects = wants('objects') || wants('scene_graph') || needsEvidence;
  const needsScene = wants('scene_graph') || needsEvidence;
  if (needsObjects && !model.objects) warnings.add('No bound pack finds objects.');
  if (needsScene && !model.scenes)
    warnings.add('No bound pack knows scenes; only light, blur and shape were measured.');
  if (needsEvidence && !model.names)
    warnings.add('No bound pack writes captions; they are put together from what was found.');

  const objects = needsObjects ? await model.objects?.detect(pictures, signal) : undefined;
  const scenes = needsScene ? await model.scenes?.score(pictures, signal) : undefined;
  const written = wants('caption')
    ? await model.captions?.caption(pictures, params.language, signal)
    : undefined;
  const results: FrameResult[] = [];
  for (const [index, { picture, timestampMs }] of batch.entries()) {
    const codes = needsObjects && model.readsCodes ? await findCodes(picture) : [];
    const attributes = needsScene ? await measure(picture) : undefined;
    const found: Findings = {
      objects: mergeCodes(objects?.[index] ?? [], codes, picture).slice(0, maxObjects),
      scene: { ...scenes?.[index], ...attributes?.scene },
      attributes: attributes ?? { scene: { dark: 0, blurred: 0, portrait_shaped: 0 }, colours: [] },
      codes,
      text: needsEvidence ? await texts.readProminent(picture) : undefined,
    };
    results.push({
      ...toResult(found, work, written?.[index]),
      ...(timestampMs === undefined ? {} : { timestamp_ms: timestampMs }),
    });
  }
  return results;
}

function toResult(found: Findings, work: Work, written: string | undefined): FrameResult {
  const { params, model } = work;
  const wants = (task: AnalyzeParams['tasks'][number]) => params.tasks.includes(task);
  const { objects, scene, attributes, text } = found;
  const codes = found.codes.map((code) => code.text);
  const evidence = () => gatherEvidence({ scene, objects, attributes, codes, text }, model.names);
  const spoken = written === undefined || model.captions!.languages.includes(params.language);
  return {
    caption: wants('caption') ? (written ?? writeCaption(evidence(), params.language)) : '',
    // What the caption is in; the service has it translated where that is not what was asked for.
    language: spoken ? params.language : model.captions!.languages[0]!,
    objects: wants('objects') || wants('scene_graph') ? objects : [],
    scene: wants('scene_graph') ? scene : {},
    ...(wants('scene_graph') ? { relations: relate(objects) } : {}),
  };
}
