/** GET /v1/models. */
import { type Static, Type } from 'typebox';
import { Nullable, UnixSeconds } from '../common.ts';

export const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    created: UnixSeconds,
    owned_by: Type.String(),
    status: Type.Enum(['stable', 'beta']),
    pack: Nullable(
      Type.String({
        description: 'What answers: `id@version` as in x-model-pack, or `engine/model` elsewhere.',
      }),
    ),
    name: Nullable(Type.String({ description: 'The name of the model in it.' })),
  },
  { title: 'Model' },
);
export type Model = Static<typeof Model>;

export const ModelList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Model) },
  { title: 'ModelList' },
);
export type ModelList = Static<typeof ModelList>;
