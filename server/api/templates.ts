/** A person's own document templates: what to look for on documents of one kind, and how it is found. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed } from './common.ts';

const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

export const ownFieldTypes = ['text', 'number', 'amount', 'date'] as const;

export const OwnField = Closed({
  name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
  type: Type.Enum([...ownFieldTypes]),
  labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 16,
      description: 'What is printed before or above the value, in any language; one of them is enough.',
    }),
  ),
  place: Type.Optional(
    Closed(
      { page: Type.Integer({ minimum: 1, maximum: 10_000 }), bbox: Bbox },
      { description: 'Where the value stands, if no label is found.' },
    ),
  ),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'RE2 syntax: what the value looks like; its first group, if it has one, is the value.',
    }),
  ),
});
export type OwnField = Static<typeof OwnField>;

export const OwnTemplate = Closed(
  {
    name: Name,
    title: Type.Optional(Type.String({ maxLength: 100 })),
    words: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 100 }), {
        maxItems: 16,
        description: 'Texts that documents of this kind hold; without them no field is filled.',
      }),
    ),
    fields: Type.Array(OwnField, { minItems: 1, maxItems: 100 }),
  },
  { title: 'OwnTemplate' },
);
export type OwnTemplate = Static<typeof OwnTemplate>;

export const OwnTemplateList = Type.Object({ data: Type.Array(OwnTemplate) }, { title: 'OwnTemplateList' });
export type OwnTemplateList = Static<typeof OwnTemplateList>;

export const OwnTemplateRename = Closed(
  { name: Name, title: Type.Optional(Type.String({ maxLength: 100 })) },
  { title: 'OwnTemplateRename' },
);
export type OwnTemplateRename = Static<typeof OwnTemplateRename>;
