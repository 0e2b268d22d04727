/** Schemas shared by several operations, and the names that spec.md fixes. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';

export const modelIds = [
  'svc-lingua-7b',
  'svc-vision-pro',
  'svc-shield-base',
  'svc-guard-max',
  'svc-parse-pro',
  'svc-embed-base',
] as const;
export type ModelId = (typeof modelIds)[number];

/** Status in the model list, spec.md "Models". */
export const modelStatus: Record<ModelId, 'stable' | 'beta'> = {
  'svc-lingua-7b': 'beta',
  'svc-vision-pro': 'stable',
  'svc-shield-base': 'stable',
  'svc-guard-max': 'stable',
  'svc-parse-pro': 'stable',
  'svc-embed-base': 'stable',
};

/** `upstream`: its requests may be answered by remote engines; a key without it stays on this machine. */
export const scopes = [
  'chat',
  'images',
  'moderations',
  'documents',
  'embeddings',
  'models',
  'keys',
  'upstream',
] as const;
export type Scope = (typeof scopes)[number];

export const plans = ['free', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export const keyClasses = ['live', 'test'] as const;
export type KeyClass = (typeof keyClasses)[number];

export const regions = ['my', 'sg', 'id'] as const;
export type Region = (typeof regions)[number];

export const languages = ['en', 'ms', 'zh'] as const;

/** A request body: fields it does not name are refused (400 unknown_parameter). */
export const Closed = <P extends TProperties>(properties: P, options: object = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false }) as TObject<P>;

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const Confidence = Type.Number({ minimum: 0, maximum: 1 });

/** [x0, y0, x1, y1], 0 to 1 of the upright page or image, origin at the top left. */
export const Bbox = Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 4, maxItems: 4 });

export const UnixSeconds = Type.Integer({ minimum: 0, description: 'Unix timestamp in seconds' });

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Nullable(Type.String()),
      code: Type.String(),
    }),
  },
  { title: 'Error' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
