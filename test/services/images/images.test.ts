import { expect, it } from 'vitest';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import type { AnalyzeItem, AnalyzeResult, ImageAnalyzeParams } from '../../../server/engine/images/types.ts';
import { ApiError } from '../../../server/errors.ts';
import { createFixtureEngines } from '../../../server/services/fixtures/engines.ts';
import { createImages } from '../../../server/services/images/images.ts';
import { makeCaller } from '../../support/caller.ts';
import { type FakeMethods, fakeEngines } from '../../support/fake-engines.ts';

/** A caption model that writes English whatever is asked. */
const inEnglish = ({ language }: ImageAnalyzeParams): AnalyzeResult => ({
  results: [{ caption: 'A cat.', language: 'en', objects: [], scene: { [`asked_${language}`]: 1 } }],
  warnings: [],
  images: 1,
  frames: 0,
});
const last = (result: AnalyzeResult): AnalyzeItem[] => [{ kind: 'result', result }];
const english = (params: ImageAnalyzeParams) => last(inEnglish(params));
const heard: unknown[] = [];

const serve = (
  methods: FakeMethods,
  fetch = async () => Buffer.from('picture'),
  sampling: 'even' | 'scene_changes' = 'even',
) =>
  createImages({
    engines: fakeEngines({ images: { analyze: english }, ...methods }),
    fixtures: createFixtureEngines(),
    urls: { check: () => expect.fail('only fixtures check'), fetch },
    settings: () => ({ video_frames: sampling }),
    onProgress: (...told) => heard.push(told),
  });
const image = Buffer.from('picture').toString('base64');

it('an English caption is translated by the chat pack, and the answer says so', async () => {
  const asked: GenerateParams[] = [];
  const images = serve({
    chat: {
      generate: async function* (params) {
        asked.push(params);
        yield { kind: 'prompt', tokens: 9 };
        yield { kind: 'text', choice: 0, text: 'Seekor ' };
        yield { kind: 'text', choice: 0, text: 'kucing.' };
      },
    },
  });
  const answer = await images({ image, language: 'ms' }, makeCaller());
  expect(answer.results[0]).toMatchObject({ caption: 'Seekor kucing.', language: 'ms' });
  expect(answer.warnings?.join()).toContain('translated');
  expect(asked[0]?.messages.map(({ content }) => content).join()).toMatch(/Malay.*A cat\./);
  const plain = await images({ image }, makeCaller());
  expect(plain.results[0]).toMatchObject({ caption: 'A cat.', language: 'en' });
  expect(plain.warnings).toBeUndefined();
  expect(asked.length).toBe(1);
});

it('without a translation the English caption stands, named English', async () => {
  const answer = await serve({})({ image, language: 'zh' }, makeCaller());
  expect(answer.results[0]).toMatchObject({ caption: 'A cat.', language: 'en' });
  expect(answer.warnings?.join()).toContain('could not translate');
});

it('a frame of a video has its time, a picture none', async () => {
  const video = (params: ImageAnalyzeParams): AnalyzeItem[] => {
    const answer = inEnglish(params);
    const [result] = answer.results;
    const results = [{ ...result!, timestampMs: 0 }, result!];
    return [{ kind: 'progress', done: 1, frames: 2, timestampsMs: [0] }, ...last({ ...answer, results })];
  };
  const { results } = await serve({ images: { analyze: video } })({ image }, makeCaller());
  expect(results.map(({ timestamp_ms }) => timestamp_ms)).toEqual([0, undefined]);
  expect(results[0]).not.toHaveProperty('timestampMs');
  expect(heard).toEqual([[expect.stringMatching(/./), 1, 2, [0]]]);
});

it('a refusal names the field that was sent', async () => {
  const refuse = () => {
    throw new ApiError('invalid_value', 'The picture is damaged.', { param: 'image' });
  };
  const images = serve({ images: { analyze: refuse } });
  await expect(images({ image }, makeCaller())).rejects.toMatchObject({ param: 'image' });
  const url = { image_url: 'https://example.org/a.png' };
  await expect(images(url, makeCaller())).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'image_url',
  });
});

it.each(['even', 'scene_changes'] as const)(
  'the frames of a video are chosen as the settings say: %s',
  async (sampling) => {
    const asked: ImageAnalyzeParams[] = [];
    const analyze = (params: ImageAnalyzeParams) => {
      asked.push(params);
      return english(params);
    };
    await serve(
      { images: { analyze: analyze } },
      undefined,
      sampling,
    )({ image, max_frames: 3 }, makeCaller());
    expect(asked[0]?.frames).toEqual({ maxFrames: 3, sampling });
  },
);
