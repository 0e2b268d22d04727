import { describe, expect, it } from 'vitest';
import { anonymizeChoice, anonymizedOutput, readableText } from '../../server/cli/folders/documents.ts';

it.each([
  ['a.txt', false, { suffix: '.anonymized.txt' }],
  ['a.txt.anonymized.txt', true, { suffix: '', inPlaceOf: '.anonymized.txt' }],
  ['a.pdf.anonymized.txt', true, { suffix: '.txt', inPlaceOf: '.anonymized.txt' }],
  ['a.eml.anonymized.txt', true, { suffix: '.txt', inPlaceOf: '.anonymized.txt' }],
  ['mailed.txt', true, { suffix: '.restored.txt' }],
])('%s, restored: %s', (name, restored, named) => {
  expect(anonymizedOutput(name, 'text', restored)).toMatchObject(named);
});

it('another key is another choice, and does not show in it', () => {
  const choiceOf = (key: string | undefined) =>
    JSON.stringify(anonymizeChoice({ method: 'encrypt', kinds: ['mykad', 'email'], key }));
  expect(choiceOf('the first of the keys')).toBe(choiceOf('the first of the keys'));
  const choices = ['the first of the keys', 'another of the keys', undefined].map(choiceOf);
  expect(new Set(choices).size).toBe(3);
  expect(choices.join()).not.toContain('keys');
});

describe('the text of a file', () => {
  const mail = `From: a@x.com\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('Ahmad').toString('base64')}`;
  /** Of a documents service that answers so. */
  const read = (
    name: string,
    content: string,
    answer: { text: string; warnings?: string[] } | null = null,
  ) => {
    const ask = async () => {
      if (!answer) throw new Error('nothing is asked');
      return { warnings: [], ...answer };
    };
    return readableText(Buffer.from(content), { name, api: { ask: ask as never } });
  };

  it.each(['a.eml', 'a.txt'])('a mail named %s is what the documents service reads in it', async (name) => {
    expect(await read(name, mail, { text: 'From: a@x.com\nAhmad' })).toBe('From: a@x.com\nAhmad');
  });

  it('a text is what it is, its escapes decoded', async () => {
    expect(await read('a.txt', 'Ahmad\n\n  bin  Ali')).toBe('Ahmad\n\n  bin  Ali');
    expect(await read('a.json', '{"n":"\\u5f20"}')).toBe('{"n":"张"}');
  });

  it.each([
    [
      'an attached file that was not read',
      { text: 'Ahmad', warnings: ['Attached files that were not read: a.zip.'] },
      'a.zip',
    ],
    ['no text', { text: ' ' }, 'No text'],
    ['the source of the mail', { text: mail }, 'source of a mail'],
  ])('a mail with %s fails', async (_, answer, why) => {
    await expect(read('a.eml', mail, answer)).rejects.toThrow(why);
  });

  it('a text with a file in base64 fails', async () => {
    await expect(read('a.md', '![x](data:image/png;base64,iVBORw0KGgo)')).rejects.toThrow('base64');
  });
});
