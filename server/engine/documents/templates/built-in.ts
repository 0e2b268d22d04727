/** Built-in templates that are data of the parse pack, read by the interpreter of custom ones: templates/*.yml. */

import { type Static, Type } from 'typebox';

export const builtInFiles = { passport: 'templates/passport.yml' } as const;

const text = Type.String({ minLength: 1 });

/** Fields are those of custom templates, without places: no sample shows where they stand. */
export const builtInSchema = Type.Object(
  {
    name: text,
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: '^[a-z][a-z\\d_]*$' }),
          type: Type.Enum(['text', 'number', 'amount', 'date']),
          labels: Type.Array(text, { minItems: 1 }),
          pattern: Type.Optional(text),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
);

export type BuiltInTemplates = Record<keyof typeof builtInFiles, Static<typeof builtInSchema>>;
