/** /console/work: work of the playgrounds that is kept across restarts. The content is the page's own JSON. */
import { type Static, Type } from 'typebox';
import { Closed, UnixSeconds } from '../common.ts';

const head = {
  kind: Type.Enum(['documents', 'moderation', 'threats', 'embeddings', 'chat', 'images']),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  pinned: Type.Boolean(),
};

export const WorkRecordInput = Closed(
  { ...head, content: Type.String({ maxLength: 67_108_864 }) },
  { title: 'WorkRecordInput' },
);
export type WorkRecordInput = Static<typeof WorkRecordInput>;

export const WorkRecordPatch = Closed(
  { title: Type.Optional(head.title), pinned: Type.Optional(head.pinned) },
  { title: 'WorkRecordPatch' },
);
export type WorkRecordPatch = Static<typeof WorkRecordPatch>;

export const WorkRecordSummary = Type.Object(
  { id: Type.String(), ...head, updated: UnixSeconds },
  { title: 'WorkRecordSummary' },
);
export type WorkRecordSummary = Static<typeof WorkRecordSummary>;

export const WorkRecordList = Type.Object(
  { data: Type.Array(WorkRecordSummary, { description: 'Newest first.' }) },
  { title: 'WorkRecordList' },
);

export const WorkRecord = Type.Object(
  { id: Type.String(), ...head, updated: UnixSeconds, content: Type.String() },
  { title: 'WorkRecord' },
);
export type WorkRecord = Static<typeof WorkRecord>;
