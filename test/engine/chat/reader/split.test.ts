import { describe, expect, test } from 'vitest';
import { splitQuestion } from '../../../../server/engine/chat/reader/split.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const { question: words } = settings;
const text = 'The hall opens at nine. Tomasz has the keys until Friday, then Ines takes them over.';
const split = (content: string) => splitQuestion([{ role: 'user', content }], words);

describe('one message', () => {
  test.each([
    ['a paragraph behind the text', `${text}\n\nwho has the keys`],
    ['a line behind it', `${text}\nwho has the keys`],
    ['a sentence behind it', `${text} Who has the keys?`],
    ['before it', `Who has the keys?\n\n${text}`],
    ['labels', `Passage: ${text}\n\nQuestion: Who has the keys?`],
    ['words around', `Read this and answer.\n\n${text}\n\nWho has the keys?`],
    ['an attached document', `<document name="a.pdf" pages="1">\n${text}\n</document>\n\nWho has the keys?`],
    ['a line of dashes', `Who has the keys?\n---\n${text}`],
    ['how to answer', `${text}\n\nWho has the keys? Answer briefly.`],
    ['quotes', `Who has the keys?\n"""\n${text}\n"""`],
  ])('%s', (_, content) => {
    const parted = split(content)!;
    expect(parted.context).toBe(text);
    expect(parted.question.toLowerCase()).toContain('who has the keys');
    expect(parted.question).not.toContain('opens');
  });

  test('small separated values are a text', () => {
    const values = 'item,price\nlamp,12.50\nchair,40';
    for (const content of [`${values}\n\nWhat does the lamp cost?`, `What does the lamp cost?\n${values}`])
      expect(split(content)).toEqual({ question: 'What does the lamp cost?', context: values });
  });

  test('Malay and Chinese', () => {
    expect(
      split('Mesyuarat bermula pukul dua di bilik atas. Razif akan ambil minit.\n\nsiapa ambil minit'),
    ).toEqual({
      question: 'siapa ambil minit',
      context: 'Mesyuarat bermula pukul dua di bilik atas. Razif akan ambil minit.',
    });
    expect(split('大厅九点开门。钥匙在托马那里。谁有钥匙')?.context).toBe('大厅九点开门。钥匙在托马那里。');
  });

  test('a text that begins with a question of its own', () =>
    expect(split(`Why do onions make us cry?\n\n${text}\n\nwho has the keys`)?.question).toBe(
      'who has the keys',
    ));

  test('nothing to read: null', () => expect(split('Who wrote Hamlet?')).toBeNull());
});

test('a text said before, a short question now', () =>
  expect(
    splitQuestion(
      [
        { role: 'user', content: `${text}\n\nWho has the keys?` },
        { role: 'assistant', content: 'Tomasz' },
        { role: 'user', content: 'and from Saturday?' },
      ],
      words,
    ),
  ).toEqual({ question: 'and from Saturday?', context: `${text}\n\nWho has the keys?` }));

test('begins of marks without an end take no longer than text', () => {
  for (const mark of ['<a>', '<a ', '"""x', '<b>\n']) {
    const parted = split(`${mark.repeat(30_000)}\n\nWho has the keys?`);
    expect(parted?.question ?? '').not.toContain(mark.repeat(100));
  }
});
