/** What the chat page suggests to whoever has just installed it: the starter answers each of it, in three languages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat as en } from '../../../../renderer/src/strings/en/chat.ts';
import { chat as ms } from '../../../../renderer/src/strings/ms/chat.ts';
import { chat as zh } from '../../../../renderer/src/strings/zh/chat.ts';
import type { Engine } from '../../../../server/engine/engine.ts';
import { say } from '../../../bench/chat-quality/asking.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

test.each([
  ['fields', en, '{"name":"Siti Rahman","city":"Ipoh","total":"RM 42.50"}'],
  ['passage', en, 'RM 3'],
  ['mood', en, 'positive'],
  ['figures', en, 'Kuching'],
  ['fields', ms, '{"nama":"Siti Rahman","bandar":"Ipoh","jumlah":"RM 42.50"}'],
  ['passage', ms, 'RM 3 sejam'],
  ['mood', ms, 'positif'],
  ['figures', ms, 'Kuching'],
  ['fields', zh, '{"姓名":"陈美玲","城市":"怡保","总额":"RM 42.50"}'],
  ['passage', zh, '停车费每小时三令吉。'],
  ['mood', zh, '正面'],
  ['figures', zh, '古晋'],
] as const)('%s', async (name, { suggestions }, expected) => {
  const { text } = await say(engine, { messages: [{ role: 'user', content: suggestions[name].text }] });
  const plain = text.startsWith('{')
    ? JSON.stringify(JSON.parse(text), Object.keys(JSON.parse(expected)))
    : text;
  expect(plain).toContain(expected);
});
