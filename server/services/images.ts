/** POST /v1/images/analyze. */
import type { ImagesRequest, ImagesResult } from '../api/images.ts';
import { answerFrom, type InferenceDeps, identify, noteServed, resolveModel } from './answering.ts';
import type { Caller } from './caller.ts';
import { decodeBase64, exactlyOne } from './media.ts';
import { checkUrl, type UrlFetcher } from './url-fetch.ts';

export interface ImagesDeps extends InferenceDeps {
  urls: UrlFetcher;
}

/** What an image engine's `analyze` is asked and answers. */
export interface AnalyzeParams {
  bytes: Uint8Array;
  tasks: ('caption' | 'objects' | 'scene_graph')[];
  language: 'en' | 'ms' | 'zh';
  maxFrames: number;
}
export interface AnalyzeAnswer {
  results: ImagesResult['results'];
  warnings: string[];
  /** 1 for a still image, 0 for a video. */
  images: number;
  frames: number;
}

export type ImagesService = (body: ImagesRequest, caller: Caller) => Promise<ImagesResult>;

const role = 'svc-vision-pro';
const deadlineMs = 300_000;

export function createImages(deps: ImagesDeps): ImagesService {
  async function load(body: ImagesRequest, caller: Caller): Promise<Uint8Array> {
    exactlyOne(body, ['image', 'image_url']);
    if (body.image !== undefined) return decodeBase64(body.image, 'image');
    const url = body.image_url ?? '';
    if (caller.principal.class === 'live') return deps.urls.fetch(url, 'image_url', caller.signal);
    return Buffer.from(checkUrl(url, 'image_url', { mode: 'any', allowlist: [] }).href);
  }

  return async (body, caller) => {
    resolveModel(body.model ?? role, [role], caller);
    const bytes = await load(body, caller);
    const engines = await answerFrom(deps, caller, [bytes]);
    const params: AnalyzeParams = {
      bytes,
      tasks: body.tasks ?? ['caption', 'objects', 'scene_graph'],
      language: body.language ?? 'en',
      maxFrames: body.max_frames ?? 16,
    };
    const answer = await engines.call<AnalyzeAnswer>(role, 'analyze', params, {
      signal: caller.signal,
      deadlineMs,
    });
    noteServed(engines, role, caller);
    caller.meter.images = answer.images;
    caller.meter.frames = answer.frames;
    const { id, created } = identify(caller, body);
    return {
      id: `req_vis_${id}`,
      model: role,
      created,
      results: answer.results,
      ...(answer.warnings.length > 0 ? { warnings: answer.warnings } : {}),
      usage: { images: answer.images, frames_sampled: answer.frames },
    };
  };
}
