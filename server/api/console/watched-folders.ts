/** /console/watched-folders: folders of this machine whose documents the server reads as they are dropped. */
import { type Static, Type } from 'typebox';
import { Closed, Nullable } from '../common.ts';
import { documentOutputFormats, documentTemplatePattern } from '../services/documents.ts';

const Path = Type.String({ minLength: 1, maxLength: 4096 });

export const WatchedFolderInput = Closed(
  {
    from: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The whole path of the folder to watch.',
    }),
    to: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The whole path of the folder of answers; files that fail go to `errors` in it.',
    }),
    template: Type.Optional(Type.String({ pattern: documentTemplatePattern })),
    output_format: Type.Optional(Type.Enum([...documentOutputFormats])),
  },
  { title: 'WatchedFolderInput' },
);
export type WatchedFolderInput = Static<typeof WatchedFolderInput>;

export const WatchedFolder = Type.Object(
  {
    id: Type.String(),
    from: Path,
    to: Path,
    template: Nullable(Type.String()),
    output_format: Type.Enum([...documentOutputFormats]),
    state: Type.Enum(['watching', 'stopped', 'failed']),
    error: Nullable(Type.String({ description: 'The reason why it is not watched any more.' })),
    done: Type.Integer({ minimum: 0, description: 'Since the server was started.' }),
    failed: Type.Integer({ minimum: 0 }),
    errors: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
      description: 'The last files that failed, newest first.',
    }),
  },
  { title: 'WatchedFolder' },
);
export type WatchedFolder = Static<typeof WatchedFolder>;

export const WatchedFolderList = Type.Object(
  { data: Type.Array(WatchedFolder) },
  { title: 'WatchedFolderList' },
);
export type WatchedFolderList = Static<typeof WatchedFolderList>;
