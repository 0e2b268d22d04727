/** Recognized Chinese in one script: a recognizer that lacks traditional characters reads the simplified ones for them. */

import type { Word } from '../document.ts';
import { documentWords } from '../vocabulary/words.ts';

/** Traditional characters that tell a page is in traditional print, and how many simplified ones each of them outweighs. */
const minTold = 3;
const outweighs = 2;

const han = /\p{Script=Han}/u;

/** The words of a page; where its print is traditional, with each character as it is printed there. */
export function withOneScript(words: Word[]): Word[] {
  const texts = words.filter(({ text, source }) => source !== 'text_layer' && han.test(text));
  if (texts.length === 0) return words;
  const { traditional } = documentWords();
  const printed = new Set(traditional.values());
  let [told, simplified] = [0, 0];
  for (const { text } of texts)
    for (const char of text) {
      if (printed.has(char)) told++;
      if (traditional.has(char)) simplified++;
    }
  if (told < minTold || simplified > outweighs * told) return words;
  return words.map((word) => {
    if (word.source === 'text_layer' || !han.test(word.text)) return word;
    const text = [...word.text].map((char) => traditional.get(char) ?? char).join('');
    return text === word.text ? word : { ...word, text };
  });
}
