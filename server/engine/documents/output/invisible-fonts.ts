/**
 * Fonts of empty glyphs, each with the character it stands for: text of any script that is found and copied and never seen,
 * without a font file. A Type 3 font has 256 codes (ISO 32000-1, 9.6.5), so characters are dealt out to as many as it takes.
 */

import type { Box } from '../../vision/geometry.ts';
import type { PdfObjects } from './pdf-objects.ts';

const codesOfFont = 255;
/** Thousandths of the size: every glyph is as wide, and words are stretched to their boxes. */
const glyphWidth = 500;
/** Share of a box's height that lies below the base line. */
const descent = 0.2;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
const utf16 = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => hex(char.charCodeAt(at), 4)).join('');

export class InvisibleFonts {
  /** Places of characters, from 0: font by font. */
  readonly #places = new Map<string, number>();

  #placeOf(char: string): number {
    const known = this.#places.get(char);
    if (known !== undefined) return known;
    this.#places.set(char, this.#places.size);
    return this.#places.size - 1;
  }

  /** @param page in points. @returns operators that draw the word, and a blank behind it, into its box */
  draw({ text, bbox }: { text: string; bbox: Box }, { width, height }: { width: number; height: number }) {
    const chars = [...text.trim()];
    const [x0, y0, x1, y1] = bbox;
    const size = (y1 - y0) * height;
    if (chars.length === 0 || size <= 0 || x1 <= x0) return '';
    const scale = (100 * (x1 - x0) * width) / ((chars.length * size * glyphWidth) / 1000);
    const runs: { font: number; codes: string }[] = [];
    for (const char of [...chars, ' ']) {
      const place = this.#placeOf(char);
      const font = Math.floor(place / codesOfFont);
      const code = hex((place % codesOfFont) + 1, 2);
      const last = runs.at(-1);
      if (last?.font === font) last.codes += code;
      else runs.push({ font, codes: code });
    }
    const shown = runs.map(({ font, codes }) => `/F${font} ${size.toFixed(3)} Tf <${codes}> Tj`).join(' ');
    const [x, y] = [x0 * width, (1 - y1) * height + descent * size];
    return `BT 3 Tr ${scale.toFixed(3)} Tz 1 0 0 1 ${x.toFixed(3)} ${y.toFixed(3)} Tm ${shown} ET\n`;
  }

  /** @returns the entry of a page's resources; empty without text */
  write(objects: PdfObjects): string {
    const chars = [...this.#places.keys()];
    if (chars.length === 0) return '';
    const glyph = objects.add('<<', Buffer.from(`${glyphWidth} 0 d0`));
    const fonts: string[] = [];
    for (let from = 0; from < chars.length; from += codesOfFont) {
      const own = chars.slice(from, from + codesOfFont);
      const unicode = objects.add('<<', Buffer.from(toUnicode(own)));
      const names = '/g'.repeat(own.length);
      const font = objects.add(
        `<</Type/Font/Subtype/Type3/FontBBox[0 ${-1000 * descent} ${glyphWidth} ${1000 * (1 - descent)}]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</g ${glyph} 0 R>>/Encoding<</Type/Encoding/Differences[1${names}]>>/FirstChar 1/LastChar ${own.length}/Widths[${own.map(() => glyphWidth).join(' ')}]/Resources<<>>/ToUnicode ${unicode} 0 R>>`,
      );
      fonts.push(`/F${fonts.length} ${font} 0 R`);
    }
    return `/Font<<${fonts.join('')}>>`;
  }
}

/** A CMap of codes from 1; at most a hundred entries stand in one block. */
function toUnicode(chars: readonly string[]): string {
  const blocks: string[] = [];
  for (let from = 0; from < chars.length; from += 100) {
    const own = chars.slice(from, from + 100);
    const rows = own.map((char, at) => `<${hex(from + at + 1, 2)}> <${utf16(char)}>`);
    blocks.push(`${own.length} beginbfchar\n${rows.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}
