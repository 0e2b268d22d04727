import { expect, test } from 'vitest';
import { assignPlaces, type Slot } from '../../../../server/engine/chat/reader/places.ts';
import {
  emptyReading,
  outcomes,
  type Place,
  type Reading,
} from '../../../../server/engine/chat/reader/reader.ts';
import { segmentWords } from '../../../../server/engine/chat/reader/words.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

/** A field whose reading finds the same place likeliest, told beyond doubt. */
function field(text: string, key: string, type: string, likeliest: string, isRequired = true) {
  const placeOf = (start: number, end: number): Place => ({
    text: text.slice(start, end),
    start,
    end,
    score: text.slice(start, end) === likeliest ? 0 : -1.5,
  });
  const start = text.indexOf(likeliest);
  const place = placeOf(start, start + likeliest.length);
  const reading: Reading = {
    ...emptyReading(),
    outcomes: outcomes.map((outcome) => (outcome === 'span' ? -0.2 : -2)),
    place,
    best: [place],
    within: placeOf,
  };
  const question = { asking: 'field' as const, question: key };
  const slot: Slot = { key, schema: { type }, isRequired, questions: [question], options: [] };
  return { slot, readings: [reading] };
}

const assigned = (text: string, fields: ReturnType<typeof field>[]) => {
  const words = segmentWords(text);
  const places = assignPlaces(fields, {
    isCall: false,
    isStrange: () => false,
    likeness: () => () => 0,
    penalty: 6,
    read: { text, words, known: words.map(() => null) },
    settings,
    today: undefined,
  });
  return Object.fromEntries([...places].map(([{ key }, place]) => [key, place.text]));
};

test('numbers that nothing tells apart stand in the order of their fields', () => {
  const text = 'it was 3.2 and then 1.8';
  expect(
    assigned(text, [field(text, 'alpha', 'number', '1.8'), field(text, 'beta', 'number', '1.8')]),
  ).toEqual({ alpha: '3.2', beta: '1.8' });
});

test('a field that may be left out leaves its place to one that must be filled', () => {
  const text = 'come Sunday';
  expect(
    assigned(text, [
      field(text, 'other', 'string', 'Sunday', false),
      field(text, 'wanted', 'string', 'Sunday'),
    ]),
  ).toEqual({ wanted: 'Sunday' });
});

test.each([
  ['Loss adjuster: R. Kettering, visiting on Monday', 'adjuster', 'R. Kettering'],
  ['Supplier: Perniagaan Telur Kg. Baru', 'supplier', 'Perniagaan Telur Kg. Baru'],
  ['Patient: Ong Siew Lan   Age: 41', 'patient', 'Ong Siew Lan'],
  ['<order id="A-7719" placed="2025-06-03">', 'id', 'A-7719'],
  ['WhatsApp: only 012-555 0143 (Aini)', 'whatsapp', '012-555 0143'],
])('a label of “%s” gives its value alone', (text, key, value) =>
  expect(assigned(text, [field(text, key, 'string', text.slice(0, 3))])).toEqual({ [key]: value }),
);

test('the earlier of two days is the one that comes first, whichever was found for it', () => {
  const text = 'Guest Ito, 22 Aug and 19 Aug';
  expect(
    assigned(text, [
      field(text, 'check_in', 'string', '22 Aug'),
      field(text, 'check_out', 'string', '19 Aug'),
    ]),
  ).toEqual({ check_in: '19 Aug', check_out: '22 Aug' });
});
