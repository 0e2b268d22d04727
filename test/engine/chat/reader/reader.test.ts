import { expect, test } from 'vitest';
import { Reader } from '../../../../server/engine/chat/reader/reader.ts';
import { WordTable } from '../../../../server/engine/chat/reader/word-table.ts';
import type { Session } from '../../../../server/engine/onnx/session.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';
import { wordTableBytes } from '../../../support/chat/word-table.ts';

/** A network that finds nothing and counts what it is asked. */
function counting() {
  const asked = { rows: 0 };
  const run = async ({ mask }: { mask: Tensor }) => {
    const [rows = 0, length = 0] = mask.dims as number[];
    asked.rows += rows;
    return {
      places: new Tensor('float32', new Float32Array(rows * 4 * length), [rows, 4, length]),
      outcome: new Tensor('float32', new Float32Array(rows * 11), [rows, 11]),
    };
  };
  return { asked, session: { run, close: async () => {} } as unknown as Session };
}

test('of a long text only the windows are read that speak of the question', async () => {
  const { asked, session } = counting();
  const reader = new Reader(
    session,
    new WordTable(wordTableBytes({ zebra: { vector: [1, 0, 0, 0], weight: 1 } })),
  );
  const filler = 'and then one more line of it. '.repeat(600);
  const text = reader.prepare(`${filler}The zebra costs 5 ringgit. ${filler}`);
  const [reading] = await reader.read([{ asking: 'ask', question: 'What does the zebra cost?' }], text);
  expect(asked.rows).toBe(5);
  const zebra = text.text.indexOf('zebra');
  expect(
    reading!.sentences.some(({ start, text: said }) => start <= zebra && zebra < start + said.length),
  ).toBe(true);
  asked.rows = 0;
  await reader.read([{ asking: 'summary', question: '' }], text);
  expect(asked.rows).toBeGreaterThan(20);
});

test('a Chinese sentence with commas is a sentence, a line of values a row', async () => {
  const { session } = counting();
  const reader = new Reader(session, new WordTable(wordTableBytes({})));
  const holdersOf = async (text: string) => {
    const [reading] = await reader.read([{ asking: 'ask', question: '谁' }], reader.prepare(text));
    return reading!.holders.map(({ end, start }) => text.slice(start, end));
  };
  expect(await holdersOf('店主姓陈，住在老街，今年六十。铺子每周一休息，其余开门。')).toHaveLength(2);
  expect(await holdersOf('名,价,量\n茶,5,2')).toEqual(expect.arrayContaining(['茶,5,2']));
});
