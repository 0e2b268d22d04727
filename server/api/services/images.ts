/** POST /v1/images/analyze. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed, Confidence, languages, UnixSeconds } from '../common.ts';

export const imageTasks = ['caption', 'objects', 'scene_graph'] as const;

export type ImageTask = (typeof imageTasks)[number];

export const ImagesRequest = Closed(
  {
    model: Type.Optional(Type.String({ default: 'svc-vision-pro' })),
    image_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    image: Type.Optional(Type.String({ minLength: 1, description: 'base64, or a data URL' })),
    tasks: Type.Optional(Type.Array(Type.Enum([...imageTasks]), { minItems: 1, uniqueItems: true })),
    language: Type.Optional(Type.Enum([...languages], { default: 'en' })),
    max_frames: Type.Optional(Type.Integer({ minimum: 1, maximum: 128, default: 16 })),
  },
  { title: 'ImagesRequest' },
);
export type ImagesRequest = Static<typeof ImagesRequest>;

export const ImagesResult = Type.Object(
  {
    id: Type.String({ pattern: '^req_vis_[0-9a-zA-Z]+$' }),
    model: Type.String(),
    created: UnixSeconds,
    results: Type.Array(
      Type.Object({
        caption: Type.String(),
        language: Type.Enum([...languages]),
        objects: Type.Array(Type.Object({ label: Type.String(), confidence: Confidence, bbox: Bbox })),
        scene: Type.Record(Type.String(), Confidence),
        relations: Type.Optional(
          Type.Array(
            Type.Object({
              subject: Type.Integer({ minimum: 0, description: 'Index into objects' }),
              predicate: Type.String(),
              object: Type.Integer({ minimum: 0 }),
            }),
          ),
        ),
        timestamp_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'Frames of a video' })),
      }),
    ),
    warnings: Type.Optional(Type.Array(Type.String())),
    usage: Type.Object({
      images: Type.Integer({ minimum: 0 }),
      frames_sampled: Type.Integer({ minimum: 0 }),
    }),
  },
  { title: 'ImagesResult' },
);
export type ImagesResult = Static<typeof ImagesResult>;
