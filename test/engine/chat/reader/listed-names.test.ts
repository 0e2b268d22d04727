/** All names of a kind, by the tagger that the shipped starter brings. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../../../server/engine/engine.ts';
import { say } from '../../../bench/chat-quality/asking.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

const asked = async (content: string, format?: object) =>
  (
    await say(engine, {
      messages: [{ role: 'user', content }],
      ...(format ? { format: format as never } : {}),
    })
  ).text;

const airport = 'Ahmad met Li Wei and Sarah Connor at the airport in Penang. Sarah was late.';

test.each([
  [`Extract all names: ${airport}`, ['Ahmad', 'Li Wei', 'Sarah Connor']],
  [`List the names in: ${airport}`, ['Ahmad', 'Li Wei', 'Sarah Connor']],
  [`${airport} Which people are mentioned?`, ['Ahmad', 'Li Wei', 'Sarah Connor']],
  [`${airport}\n\nWho is mentioned?`, ['Ahmad', 'Li Wei', 'Sarah Connor']],
  [
    'Which cities are mentioned? Flights go from Kuala Lumpur to Bangkok via Singapore.',
    ['Kuala Lumpur', 'Bangkok', 'Singapore'],
  ],
  [
    'Siapa yang disebut dalam teks? Encik Rosli bin Hamid bertemu Puan Noraini di Kuantan semalam.',
    ['Rosli bin Hamid', 'Noraini'],
  ],
  ['文中提到了哪些人？张伟和李娜昨天在上海参观了华为公司。', ['张伟', '李娜']],
  [
    'List all amounts: rent 1,200 EUR, power 85.50 EUR, water RM 30, and 3 rooms',
    ['1,200 EUR', '85.50 EUR', 'RM 30'],
  ],
])('%s', async (content, names) => expect((await asked(content)).split('\n')).toEqual(names));

test('lists of a schema and of keys that an order names hold all names of their kind', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  const schema = {
    type: 'object',
    properties: { people: list, places: list },
    required: ['people', 'places'],
  };
  const text = 'Extract people: Ahmad of Petronas met Li Wei in Penang.';
  const people = ['Ahmad', 'Li Wei'];
  expect(JSON.parse(await asked(text, { type: 'json_schema', schema }))).toEqual({
    people,
    places: ['Penang'],
  });
  const order = 'Extract names and places as JSON: Ahmad of Petronas met Li Wei in Penang.';
  expect(JSON.parse(await asked(order, { type: 'json_object' }))).toEqual({
    names: people,
    places: ['Penang'],
  });
});

test('the tagger is the one of the shield starter', () => {
  const hashes = (pack: string): string[] =>
    JSON.parse(readFileSync(`models/packs/${pack}/manifest.json`, 'utf8'))
      .files.filter(({ path }: { path: string }) => path.startsWith('entities'))
      .map(({ path, sha256 }: { path: string; sha256: string }) => `${path} ${sha256}`);
  expect(hashes('lingua-starter')).toHaveLength(4);
  expect(hashes('lingua-starter')).toEqual(hashes('shield-starter'));
});
