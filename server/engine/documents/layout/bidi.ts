/** Right-to-left text: PDF draws it in visual order, readers and programs expect logical order. */

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const rightToLeftRuns = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+/g;
/** Ligatures, presentation forms and the radicals of dictionaries, which stand for ordinary letters. */
const presentationForms = /[\u2f00-\u2fd5\ufb00-\ufdff\ufe70-\ufefc]/g;
/**
 * Radicals that Unicode does not decompose and their ideographs. Fonts draw both by one glyph, and programs that make PDFs tell
 * the first of its characters.
 */
const radicals = new Map(
  (
    '⺟母⺠民⺩王⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟' +
    '⻨麦⻩黄⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻲亀⻳龟'
  )
    .match(/../gu)!
    .map((pair) => [...pair] as [string, string]),
);
const brackets: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '«': '»', '»': '«' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
const controls = /[\u0000-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\ufeff]/g;

export const plainForms = (text: string): string =>
  text
    .replace(presentationForms, (form) => form.normalize('NFKC'))
    .replace(/[\u2e80-\u2ef3]/g, (radical) => radicals.get(radical) ?? radical)
    .replace(controls, '');

/** Reverses a visually ordered word if it is written right to left; numbers inside keep their order. */
export function logicalOrder(word: string): string {
  if (!rightToLeft.test(word)) return word;
  const pieces = word.match(/[0-9\u0660-\u0669]+(?:[.,:/][0-9\u0660-\u0669]+)*|[A-Za-z]+|[\s\S]/gu) ?? [];
  return pieces
    .reverse()
    .map((piece) => brackets[piece] ?? piece)
    .join('');
}

const leftToRightLetters = /[A-Za-z\u00c0-\u024f\u0370-\u052f]/;

/** A line as it is read, from the order of its words on the page: Latin phrases inside a line from the right keep theirs. */
export function lineText(words: string[]): string {
  const text = words.join(' ');
  if (!readsFromRight(text)) return text;
  const read: string[] = [];
  let phrase: string[] = [];
  for (const word of [...words, null]) {
    if (word !== null && leftToRightLetters.test(word)) phrase.push(word);
    else {
      read.unshift(...phrase);
      phrase = [];
      if (word !== null) read.unshift(word);
    }
  }
  return read.join(' ');
}

/** True if most letters of a line run right to left, so that its words are read from the right. */
function readsFromRight(text: string): boolean {
  const runs = text.match(rightToLeftRuns);
  if (!runs) return false;
  const count = runs.reduce((sum, run) => sum + run.length, 0);
  return count * 2 > text.replace(/[\s\d]/g, '').length;
}
