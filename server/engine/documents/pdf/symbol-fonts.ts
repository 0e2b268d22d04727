/**
 * Check marks and boxes of symbol fonts.
 *
 * Office programs draw them with fonts whose letters are pictures; pdf.js gives the letter, or its place in the private
 * use area (Microsoft's symbol encoding, U+F000 and up). What the pictures are is in the fonts' own character charts.
 */

const wingdings: Record<string, string> = {
  o: '☐',
  q: '❑',
  r: '❒',
  n: '■',
  x: '☒',
  l: '●',
  '¡': '○',
  '¤': '◉',
  '¨': '☐',
  þ: '☑',
  ý: '☒',
  ü: '✓',
  û: '✗',
};

const wingdings2: Record<string, string> = {
  '*': '☐',
  '£': '☐',
  R: '☑',
  S: '☒',
  T: '☒',
  P: '✓',
  O: '✗',
};

const webdings: Record<string, string> = { c: '☐', g: '■', a: '✓', r: '✗' };

export type Symbols = Readonly<Record<string, string>>;

/** The marks that the letters of a font show; null for other fonts. */
export function symbolsOf(fontName: string): Symbols | null {
  const name = fontName.toLowerCase().replace(/[\s-]/g, '');
  if (/wingdings2/.test(name)) return wingdings2;
  if (/wingdings(?!3)/.test(name)) return wingdings;
  return /webdings/.test(name) ? webdings : null;
}

const privateUse = (text: string): boolean => text >= '\uf000' && text <= '\uf0ff';

/** The box or mark that a character of a font shows; other characters and fonts are left as they are. */
export function symbolOf(symbols: Symbols | null, text: string): string {
  if (!symbols || text.length !== 1) return text;
  const letter = privateUse(text) ? String.fromCharCode(text.charCodeAt(0) - 0xf000) : text;
  return symbols[letter] ?? text;
}
