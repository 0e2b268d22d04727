/** Contents of a request's file: one picture, or the chosen frames of an animation or a video. */
import { maxAnimationPx } from '../limits.ts';
import type { FrameChoice } from '../types.ts';
import { chooseFrames } from '../video/choose-frames.ts';
import { findSceneStarts, type Look, thumbnailOf } from '../video/scene-changes.ts';
import type { VideoReader } from '../video/video-reader.ts';
import { detectMedia, type StillMedia } from './image-media.ts';
import { type Frame, openPicture, type Picture, readAnimation, readImageHeader } from './picture.ts';
import { refuseKind } from './refusals.ts';

export interface FrameSource {
  /** A picture without time. */
  still: boolean;
  frames: AsyncIterable<Frame> | Iterable<Frame>;
}

/** Delays below this are shown as a tenth of a second, as browsers do. */
const shortestDelayMs = 11;
const usualDelayMs = 100;

/** @throws EngineError for what is not read, damaged or too large */
export async function openFrames(
  bytes: Uint8Array,
  choice: FrameChoice,
  { videos, signal }: { videos: VideoReader; signal: AbortSignal },
): Promise<FrameSource> {
  const media = detectMedia(bytes);
  if (media === undefined) {
    throw refuseKind('The file is none of JPEG, PNG, WebP, GIF, MP4 and WebM.');
  }
  if (media === 'mp4' || media === 'webm') {
    return { still: false, frames: videos.read(bytes, choice, signal) };
  }
  if (media === 'gif' || media === 'webp') {
    const header = await readImageHeader(bytes);
    if (header.pages > 1) return { still: false, frames: animationFrames(bytes, media, { header, choice }) };
  }
  return { still: true, frames: [{ picture: await openPicture(bytes, media) }] };
}

type Header = Awaited<ReturnType<typeof readImageHeader>>;

async function* animationFrames(
  bytes: Uint8Array,
  media: StillMedia,
  { header, choice }: { header: Header; choice: FrameChoice },
): AsyncGenerator<Frame> {
  const starts: number[] = [];
  let time = 0;
  for (let page = 0; page < header.pages; page++) {
    starts.push(time);
    const delay = header.delays[page] ?? 0;
    time += delay < shortestDelayMs ? usualDelayMs : delay;
  }
  // Later frames build on earlier ones, so one pass is cheapest where it fits into memory.
  const whole = header.width * header.height * header.pages <= maxAnimationPx;
  const pages = whole ? await readAnimation(bytes, header) : undefined;
  const open = async (page: number) => pages?.[page] ?? openPicture(bytes, media, page);
  const chosen =
    choice.sampling === 'scene_changes'
      ? await sceneStarts(starts, choice.maxFrames, open)
      : chooseFrames(starts, time, choice.maxFrames);
  for (const page of chosen) {
    const picture = await open(page);
    yield { picture, timestampMs: Math.round(starts[page]!), chosen: chosen.length };
  }
}

async function sceneStarts(
  starts: readonly number[],
  most: number,
  open: (page: number) => Promise<Picture>,
): Promise<number[]> {
  const looks: Look[] = [];
  for (const [page, startMs] of starts.entries())
    looks.push({ startMs, thumbnail: thumbnailOf(await (await open(page)).pixels()) });
  return findSceneStarts(looks, most);
}
