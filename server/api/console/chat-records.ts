/** /console/chats and /console/chat-presets: what the chat playground keeps. The content is the page's own JSON. */
import { type Static, Type } from 'typebox';
import { Closed, UnixSeconds } from '../common.ts';

export const ChatRecordInput = Closed(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    content: Type.String({ maxLength: 16_777_216 }),
  },
  { title: 'ChatRecordInput' },
);
export type ChatRecordInput = Static<typeof ChatRecordInput>;

export const ChatRecordSummary = Type.Object(
  { id: Type.String(), title: Type.String(), updated: UnixSeconds },
  { title: 'ChatRecordSummary' },
);
export type ChatRecordSummary = Static<typeof ChatRecordSummary>;

export const ChatRecordList = Type.Object(
  { data: Type.Array(ChatRecordSummary) },
  { title: 'ChatRecordList' },
);

export const ChatRecord = Type.Object(
  { id: Type.String(), title: Type.String(), updated: UnixSeconds, content: Type.String() },
  { title: 'ChatRecord' },
);
export type ChatRecord = Static<typeof ChatRecord>;
