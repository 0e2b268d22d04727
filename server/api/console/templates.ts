/** A person's own document templates: what to look for on documents of one kind, and how it is found. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed } from '../common.ts';

const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

export const customFieldTypes = ['text', 'number', 'amount', 'date'] as const;

export const CustomField = Closed({
  name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
  type: Type.Enum([...customFieldTypes]),
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
export type CustomField = Static<typeof CustomField>;

export const CustomTemplate = Closed(
  {
    name: Name,
    title: Type.Optional(Type.String({ maxLength: 100 })),
    words: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 100 }), {
        maxItems: 16,
        description: 'Texts that documents of this kind hold; without them no field is filled.',
      }),
    ),
    fields: Type.Array(CustomField, { minItems: 1, maxItems: 100 }),
  },
  { title: 'CustomTemplate' },
);
export type CustomTemplate = Static<typeof CustomTemplate>;

export const CustomTemplateList = Type.Object(
  { data: Type.Array(CustomTemplate) },
  { title: 'CustomTemplateList' },
);
export type CustomTemplateList = Static<typeof CustomTemplateList>;

export const CustomTemplateRename = Closed(
  { name: Name, title: Type.Optional(Type.String({ maxLength: 100 })) },
  { title: 'CustomTemplateRename' },
);
export type CustomTemplateRename = Static<typeof CustomTemplateRename>;
