import { confusables } from './confusables.ts';
import type { Simplified } from './simplified.ts';

/** Folded text; element i of `units` is one folded character that stands for `[starts[i], ends[i])` of the original. */
export interface FoldedText {
  units: string[];
  starts: number[];
  ends: number[];
}

/** Zero-width characters, bidi controls, soft hyphens, variation selectors, fillers. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const mark = /\p{M}/gu;

/** Tag characters (U+E0020…) carry hidden ASCII; regional indicators spell letters. Both read as what they spell. */
function hiddenLetter(codePoint: number): string | null {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e)
    return String.fromCharCode(codePoint - 0xe0000).toLowerCase();
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return String.fromCharCode(97 + codePoint - 0x1f1e6);
  if (codePoint >= 0x1f130 && codePoint <= 0x1f189)
    return String.fromCharCode(97 + (((codePoint - 0x1f130) % 32) % 26));
  return null;
}

function foldCharacter(character: string, simplified: Simplified): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return character.toLowerCase();
  const hidden = hiddenLetter(codePoint);
  if (hidden !== null) return hidden;
  if (invisible.test(character)) return '';
  const plain = character.normalize('NFKD').replace(mark, '').toLowerCase();
  let folded = '';
  for (const part of plain) folded += confusables.get(part) ?? simplified.get(part) ?? part;
  return folded;
}

/** Case, width, accents, look-alikes, invisible characters and script variants removed; offsets kept. */
export function foldText(text: string, simplified: Simplified): FoldedText {
  const folded: FoldedText = { units: [], starts: [], ends: [] };
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (const unit of foldCharacter(character, simplified)) {
      folded.units.push(unit);
      folded.starts.push(at);
      folded.ends.push(end);
    }
    at = end;
  }
  return folded;
}
