/** POST /v1/images/analyze. */
import type { Settings } from '../../api/console/console.ts';
import type { ImagesRequest, ImagesResult } from '../../api/services/images.ts';
import type { AnalyzeItem, AnalyzeResult, ImageAnalyzeParams } from '../../engine/images/types.ts';
import { ApiError } from '../../errors.ts';
import { type Caller, recordUse } from '../caller.ts';
import { fileOrUrl } from '../files/request-file.ts';
import type { UrlFetcher } from '../files/url-fetch.ts';
import {
  callOf,
  enginesFor,
  type InferenceDeps,
  identify,
  recordServedPack,
  resolveModel,
} from '../model-call.ts';
import { translateCaptions } from './caption-translation.ts';

export interface ImagesDeps extends InferenceDeps {
  urls: UrlFetcher;
  settings: () => Pick<Settings, 'video_frames'>;
  /** Frames of a video. */
  onProgress: (requestId: string, done: number, frames: number, timestampsMs: number[]) => void;
}

export type ImagesService = (body: ImagesRequest, caller: Caller) => Promise<ImagesResult>;

const role = 'svc-vision-pro';
const analyzeDeadlineMs = 300_000;

export function createImages(deps: ImagesDeps): ImagesService {
  return async (body, caller) => {
    resolveModel(body.model ?? role, [role], caller);
    const bytes = await fileOrUrl(body, 'image', { caller, urls: deps.urls });
    const engines = await enginesFor(deps, caller, [bytes]);
    const params: ImageAnalyzeParams = {
      bytes,
      tasks: body.tasks ?? ['caption', 'objects', 'scene_graph'],
      language: body.language ?? 'en',
      frames: { maxFrames: body.max_frames ?? 16, sampling: deps.settings().video_frames },
    };
    const call = { ...callOf(caller, analyzeDeadlineMs), pack: caller.pack };
    const onProgress = ({ done, frames, timestampsMs }: Progress) =>
      deps.onProgress(caller.requestId, done, frames, timestampsMs);
    const seen = await lastItem(engines.stream(role, 'analyze', params, call), onProgress).catch(
      (error: unknown) => Promise.reject(body.image === undefined ? aboutUrl(error) : error),
    );
    recordServedPack(engines, role, caller);
    const answer = await translateCaptions(seen, params.language, { engines, caller });
    recordUse(caller, { images: answer.images, frames: answer.frames });
    const { id, created } = identify(caller, body);
    return {
      id: `req_vis_${id}`,
      model: role,
      created,
      results: answer.results.map(({ timestampMs, ...result }) => ({
        ...result,
        ...(timestampMs === undefined ? {} : { timestamp_ms: timestampMs }),
      })),
      ...(answer.warnings.length > 0 ? { warnings: answer.warnings } : {}),
      usage: { images: answer.images, frames_sampled: answer.frames },
    };
  };
}

type Progress = Extract<AnalyzeItem, { kind: 'progress' }>;

async function lastItem(
  items: AsyncIterable<AnalyzeItem>,
  onProgress: (progress: Progress) => void,
): Promise<AnalyzeResult> {
  for await (const item of items) {
    if (item.kind === 'result') return item.result;
    onProgress(item);
  }
  throw new ApiError('internal_error', 'The image engine gave no result.');
}

/** The engine knows of bytes only and calls them `image`. */
const aboutUrl = (error: unknown): unknown =>
  error instanceof ApiError && error.param === 'image'
    ? new ApiError(error.code, error.message, { param: 'image_url' })
    : error;
