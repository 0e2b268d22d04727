/** The program itself: which one runs, and how another one takes its place without a network. */
import { type Static, Type } from 'typebox';

export const ProgramState = Type.Object(
  {
    version: Type.String(),
    folder: Type.String({ description: 'Folder of the program.' }),
    previous: Type.Union([Type.String(), Type.Null()], {
      description: 'Version kept from before the last update; null: none.',
    }),
    hindrance: Type.Union([Type.String(), Type.Null()], {
      description: 'Why another version cannot be installed from here, and how it is done instead.',
    }),
    last: Type.Union([
      Type.Object({
        time_ms: Type.Integer(),
        problem: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ]),
  },
  { title: 'ProgramState' },
);
export type ProgramState = Static<typeof ProgramState>;

export const ProgramUpdateRequest = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Archive of a release on this machine, its signature beside it.',
    }),
  },
  { additionalProperties: false, title: 'ProgramUpdateRequest' },
);
export type ProgramUpdateRequest = Static<typeof ProgramUpdateRequest>;

const Differences = Type.Object({
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  changed: Type.Array(Type.String()),
});

export const ProgramUpdateCheck = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    signer: Type.String({ description: 'Name by which the signing key is trusted here.' }),
    changes: Type.Array(Type.String(), { description: 'Points of the changelog that are new.' }),
    packages: Differences,
    packs: Differences,
    migrations: Type.Array(Type.String(), { description: 'Changes of the database at the first start.' }),
  },
  { title: 'ProgramUpdateCheck' },
);
export type ProgramUpdateCheck = Static<typeof ProgramUpdateCheck>;
